//! Work that goes to other places than the work tree's files: each place is told when other files are
//! there, and not when only commits differ.

mod bounds;
mod hostile;
mod inside;
mod refs;
mod worktrees;

use windlass_core::evidence::{PlaceKind, PlaceMark};
use windlass_repo::{
    state::{Place, Places},
    tree::{Repository, Tree},
};

use crate::tree;

/// A repository whose places are looked at after each snapshot, as in a loop.
struct World {
    place: tree::Place,
    tree: Tree,
    places: Places,
    last: Vec<PlaceMark>,
}

impl World {
    async fn new() -> Self {
        Self::of(tree::Place::new()).await
    }

    /// After a first look.
    async fn of(place: tree::Place) -> Self {
        let (tree, places) = (place.tree().await, places(&place));
        let mut world = Self { place, tree, places, last: Vec::new() };
        world.last = world.marks().await;
        world
    }

    fn git(&self, args: &[&str]) -> String {
        self.place.git(args)
    }

    async fn marks(&mut self) -> Vec<PlaceMark> {
        self.tree.snapshot().await.expect("taken");
        self.places.look(&self.tree).await
    }

    /// The places that changed since the last time, as a loop records them.
    async fn changed(&mut self) -> Vec<String> {
        let marks = self.marks().await;
        let changed = marks.iter().filter(|mark| !self.last.contains(mark));
        let changed = changed.map(shown).collect();
        self.last = marks;
        changed
    }
}

fn places(place: &tree::Place) -> Places {
    let repository = Repository::discover(&place.top()).expect("readable");
    let root = repository.as_ref().expect("there is a repository").top.clone();
    std::fs::create_dir_all(place.home()).expect("made");
    let home = place.home().canonicalize().expect("it is there");
    Places::new(Place { directory: root.clone(), root, repository, home }, LOOP)
}

fn shown(mark: &PlaceMark) -> String {
    format!("{:?} {}", mark.kind, mark.name).trim_end().to_owned()
}

fn of_kind(marks: &[PlaceMark], kind: PlaceKind) -> Vec<&PlaceMark> {
    marks.iter().filter(|mark| mark.kind == kind).collect()
}

/// The loop whose places are looked at.
const LOOP: &str = "d947815a5a1b0391";

const NOTHING: [&str; 0] = [];
