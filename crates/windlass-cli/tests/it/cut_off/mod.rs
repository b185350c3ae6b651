//! Every change of the user's repository that takes more than one step, killed in the middle: before
//! and after its git commands, between the renames of the helper that does it, and with git itself
//! killed between its own. The same command works again, or `resume` does, or `gc` clears up; the
//! index is never behind HEAD, and nothing of windlass's is left in the git directory.

mod git_killed;
mod helper_killed;
mod killing;
mod links;
mod main_killed;
mod scenes;
mod single;

use self::{
    killing::{Point, When, every_point, kill_at},
    scenes::{SCENES, Scene},
};
use crate::sandboxes::has_bwrap;

/// Kills a scene at some points, and looks what is left.
fn cut(scene: &Scene, points: &[Point]) {
    killing::on_two_threads(points, |point| {
        let env = (scene.set_up)();
        if kill_at(&env, scene, point) {
            scene.assert_recovers(&env, point.number.is_multiple_of(2), &point.to_string());
        }
    });
}

/// The points around those git commands that change something.
fn around_changes(scene: &Scene) -> Vec<Point> {
    let mut points = every_point(scene);
    points.retain(Point::changes_something);
    assert!(!points.is_empty(), "the scene `{}` changes nothing", scene.name);
    points
}

fn of_scene(name: &str) {
    let scene = SCENES.iter().find(|scene| scene.name == name).expect("there is such a scene");
    cut(scene, &around_changes(scene));
}

#[test]
fn a_kill_while_a_worktree_is_made_lets_the_same_command_start_again() {
    of_scene("worktree");
}

#[test]
fn a_kill_while_a_branch_is_made_lets_the_same_command_start_again() {
    of_scene("branch");
}

#[test]
fn a_kill_while_work_is_committed_leaves_no_index_behind() {
    of_scene("commit");
}

#[test]
fn a_kill_while_an_agents_commits_are_brought_over_is_mended() {
    let scene = SCENES.iter().find(|scene| scene.name == "bring").expect("there is one");
    let points = every_point(scene);
    let changes = |point: &Point| point.changes_something();
    let (first, last) = (points.iter().position(changes), points.iter().rposition(changes));
    let (first, last) = (first.expect("it fetches"), last.expect("it moves a branch"));
    cut(scene, &points[first..=last]);
}

#[test]
fn a_kill_while_commits_of_a_submodule_are_brought_over_leaves_everything_clean() {
    if has_bwrap() {
        of_scene("submodule");
    }
}

#[test]
fn a_kill_while_a_branch_is_moved_by_a_merge_is_mended() {
    of_scene("merge");
}

#[test]
fn a_kill_while_a_worktree_is_removed_lets_it_be_removed() {
    of_scene("rm");
}

#[test]
fn a_kill_while_the_refs_of_a_loop_are_given_up_lets_it_be_removed() {
    of_scene("release");
}

#[test]
fn a_kill_while_gc_removes_a_worktree_lets_it_be_removed() {
    of_scene("gc");
}

#[test]
fn a_kill_while_the_tree_is_put_back_lets_it_be_put_back() {
    let scene = SCENES.iter().find(|scene| scene.name == "rollback").expect("there is one");
    // It changes files only, after the last of its git commands.
    let points: Vec<Point> = every_point(scene).into_iter().rev().take(4).collect();
    cut(scene, &points);
}

#[test]
fn a_kill_while_work_is_accepted_lets_it_be_accepted() {
    let scene = SCENES.iter().find(|scene| scene.name == "accept").expect("there is one");
    cut(scene, &every_point(scene));
}

/// All of them take many minutes; `scripts/crash-loop` runs this.
#[test]
#[ignore = "takes many minutes: scripts/crash-loop runs it"]
fn a_kill_around_any_git_command_of_any_change_is_mended() {
    for scene in SCENES {
        let points = every_point(scene);
        cut(scene, &points);
        println!("{}: {} points", scene.name, points.len());
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let when = if self.when == When::Before { "before" } else { "after" };
        write!(to, "{when} git command {}: {}", self.number, self.command)
    }
}
