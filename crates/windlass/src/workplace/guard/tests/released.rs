//! Files that are the agent's to change, and that are looked at all the same: inline tests, and tests that
//! findings are about.

use super::world::World;

const SOURCE: &str =
    "fn add() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { check(1); }\n}\n";

#[tokio::test]
async fn inline_tests_that_change_are_told_and_those_that_are_added_are_not() {
    let mut worlds = [World::in_git().await, World::outside()];
    for world in &mut worlds {
        world.write("src/lib.rs", SOURCE);
        world.write("src/gone.rs", SOURCE);
        world.write("vendor/node_modules/x/lib.rs", SOURCE);
        world.write("src/released.rs", SOURCE);
        world.step.unguard = vec!["src/released.rs".to_owned()];
        world.record().await;
        let more = SOURCE.replace("    #[test]", "    #[test]\n    fn more() {}\n    #[test]");
        world.write("src/lib.rs", &format!("// work\n{more}"));
        world.write("src/new.rs", SOURCE);
        assert_eq!(world.compare(&[]).await.inline_tests, []);
        let weak = SOURCE.replace("check(1)", "check(0)");
        world.write("src/lib.rs", &format!("// work\n{weak}"));
        world.write("src/released.rs", &weak);
        world.write("vendor/node_modules/x/lib.rs", &weak);
        world.remove("src/gone.rs");
        let found = world.compare(&[]).await;
        let told = found.inline_tests.iter().map(|one| (&*one.path, one.line, &*one.reason));
        let was = "has other inline tests than before: `adds` was";
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                ("src/gone.rs", None, &*format!("{was} removed")),
                ("src/lib.rs", Some(5), &*format!("{was} changed")),
            ]
        );
        assert_eq!(found.changes, []);
    }
}

#[tokio::test]
async fn tests_that_findings_are_about_are_named_if_they_differ() {
    let mut worlds = [World::in_git().await, World::outside()];
    for world in &mut worlds {
        for path in ["src/a.py", "tests/test_a.py", "tests/test_b.py", "tests/test_c.py"] {
            world.write(path, "assert 1\n");
        }
        world.record().await;
        let about = ["src/a.py", "tests/test_a.py", "tests/test_b.py"];
        world.step.released = about.map(str::to_owned).to_vec();
        for path in ["src/a.py", "tests/test_a.py", "tests/test_c.py"] {
            world.write(path, "assert 2\n");
        }
        let found = world.compare(&[]).await;
        assert_eq!(found.released, ["tests/test_a.py"]);
        assert_eq!(found.changes.len(), 1, "{:?}", found.changes);
        assert_eq!(found.changes[0].path, "tests/test_c.py");
    }
}
