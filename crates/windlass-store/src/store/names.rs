//! Names that people can type and remember, such as `brave-otter`.

use super::{Store, StoreError};

impl Store {
    /// Whether a loop has that name.
    pub fn has_name(&self, name: &str) -> Result<bool, StoreError> {
        self.with(|connection| {
            connection
                .prepare_cached("SELECT EXISTS (SELECT 1 FROM loops WHERE name = ?)")?
                .query_row([name], |row| row.get(0))
        })
    }

    /// A name that no loop has yet, such as `brave-otter`. It is not kept free: where another
    /// process takes it first, `create_loop` says so.
    pub fn free_name(&self) -> Result<String, StoreError> {
        self.with(|connection| {
            let mut taken =
                connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM loops WHERE name = ?)")?;
            let mut name = pick();
            for attempt in 0_u64.. {
                if !taken.query_row([&name], |row| row.get::<_, bool>(0))? {
                    break;
                }
                // With thousands of loops the words run out; a number does not.
                let bound = 100 * (attempt + 1);
                name = match attempt {
                    0..20 => pick(),
                    _ => format!("{}-{}", pick(), fastrand::u64(2..bound)),
                };
            }
            Ok(name)
        })
    }
}

fn pick() -> String {
    let word = |words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        words[fastrand::usize(..words.len())].to_owned()
    };
    format!("{}-{}", word(QUALITIES), word(CREATURES))
}

const QUALITIES: &str = "\
     able agile airy amber ample apt arctic autumn awake balmy bold brave breezy bright brisk \
     calm candid careful cheerful civil clean clear clever coral cosy crisp curious dapper \
     daring deft dewy eager early earnest easy fabled fair fancy fast fine fleet fluent fond \
     frank free fresh gentle giving glad golden good grand green hardy honest humble jaunty \
     jolly keen kind lively loyal lucid lucky mellow merry mild mindful modest neat nimble \
     noble open patient placid plucky polite proud quick quiet ready sandy serene silver snug \
     soft spry steady sunny sure swift tidy tranquil true upbeat vivid warm wise witty zesty";

const CREATURES: &str = "\
     acorn alder aspen badger beaver birch bison breeze brook bunting canyon cedar cloud clover \
     comet condor coral cove crane creek curlew daisy dale delta dolphin dove dune eagle egret \
     elk elm ember falcon fern finch fjord fox garnet gecko glade grove gull harbor hare hawk \
     hazel heron hill ibex ibis iris island jay juniper kestrel lake lark laurel lemur lily \
     linden lynx maple marlin marmot meadow mesa moose newt oak olive orca oriole osprey otter \
     owl panda pebble pelican petrel pine plover poplar puffin quail raven reef robin rowan \
     seal sparrow spruce starling stork swan tern thrush tulip turtle walrus willow wren";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_two_plain_words() {
        for _ in 0..1000 {
            let name = pick();
            assert_eq!(name.split('-').count(), 2, "{name}");
            assert!(name.chars().all(|c| c == '-' || c.is_ascii_lowercase()), "{name}");
        }
    }
}
