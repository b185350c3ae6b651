//! The originals in place, and the agent's files back.

use std::fs;

use windlass_repo::tree::{PutBack, intents};

use super::world::{World, executable};

#[tokio::test]
async fn the_originals_are_in_place_and_then_the_agents_files_are_back() {
    let mut worlds = [World::in_git().await, World::outside()];
    for world in &mut worlds {
        world.write("tests/test_a.py", "assert add(1, 2) == 3\n");
        world.write("tests/test_b.py", "assert b\n");
        world.write("tests/run.sh", "exit 0\n");
        executable(&world.at("tests/run.sh"), true);
        world
            .write("pyproject.toml", "[project]\nname = \"x\"\n[tool.pytest.ini_options]\na = 1\n");
        world.record().await;
        world.write("tests/test_a.py", "weak\n");
        world.remove("tests/test_b.py");
        executable(&world.at("tests/run.sh"), false);
        world.write("conftest.py", "planted\n");
        world.write("tests/new.sh", "new\n");
        world
            .write("pyproject.toml", "[project]\nname = \"y\"\n[tool.pytest.ini_options]\na = 2\n");
        assert!(world.put_in().await.unwrap(), "there is a new test");
        assert_eq!(world.read("tests/test_a.py"), "assert add(1, 2) == 3\n");
        assert_eq!(world.read("tests/test_b.py"), "assert b\n");
        assert!(!world.at("conftest.py").exists());
        assert!(world.at("tests/new.sh").exists());
        let shared = world.read("pyproject.toml");
        assert!(shared.contains("\"y\"") && shared.contains("a = 1"), "{shared}");
        assert_eq!(intents(&world.home()).len(), 1);
        world.sentry.set_aside().unwrap();
        assert!(!world.at("tests/new.sh").exists());
        assert_eq!(world.put_back(), PutBack::default());
        assert_eq!(world.read("tests/test_a.py"), "weak\n");
        assert!(!world.at("tests/test_b.py").exists());
        assert_eq!(world.read("conftest.py"), "planted\n");
        assert_eq!(world.read("tests/new.sh"), "new\n");
        assert!(world.read("pyproject.toml").contains("a = 2"));
        assert_eq!(intents(&world.home()), []);
    }
}

#[tokio::test]
async fn a_program_that_was_replaced_comes_from_its_copy_with_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let mut world = World::in_git().await;
    world.write(".gitignore", ".venv\n");
    world.write(".venv/bin/pytest", "#!/bin/sh\nexec real\n");
    fs::set_permissions(world.at(".venv/bin/pytest"), fs::Permissions::from_mode(0o711)).unwrap();
    world.record().await;
    world.write(".venv/bin/pytest", "#!/bin/true\n");
    world.put_in().await.unwrap();
    assert_eq!(world.read(".venv/bin/pytest"), "#!/bin/sh\nexec real\n");
    let mode = fs::metadata(world.at(".venv/bin/pytest")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o711);
    world.put_back();
    assert_eq!(world.read(".venv/bin/pytest"), "#!/bin/true\n");
}

#[tokio::test]
async fn a_copy_that_was_changed_is_no_original() {
    let mut world = World::outside();
    world.write("tests/test_a.py", "strong\n");
    world.record().await;
    fs::write(world.folder().join("copies/0"), "weak\n").unwrap();
    world.write("tests/test_a.py", "weaker\n");
    let told = world.put_in().await.unwrap_err();
    assert!(told.contains("`tests/test_a.py` is damaged"), "{told}");
    assert_eq!(world.read("tests/test_a.py"), "weaker\n");
}

#[tokio::test]
async fn what_a_killed_process_left_is_undone_by_the_next_one() {
    let mut world = World::outside();
    world.write("tests/test_a.py", "strong\n");
    world.record().await;
    world.write("tests/test_a.py", "weak\n");
    world.put_in().await.unwrap();
    let left = intents(&world.home());
    world.sentry.settle(&left[0]).unwrap();
    assert_eq!(world.read("tests/test_a.py"), "weak\n");
}
