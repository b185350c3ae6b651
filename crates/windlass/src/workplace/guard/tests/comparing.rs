//! What the agent did to guarded files.

use std::{fs, os::unix::fs::symlink};

use windlass_core::step::guarded::{GuardedHow, LaterOriginals};

use super::world::{World, executable};

fn project(world: &World) {
    world.write("calc.py", "def add(a, b): return a - b\n");
    world.write("tests/test_calc.py", "assert add(1, 2) == 3\n");
    world.write("tests/test_other.py", "assert True\n");
    world.write("tests/fixtures/data.json", "{}");
    world.write(
        "pyproject.toml",
        "[project]\nname = \"x\"\n\n[tool.pytest.ini_options]\naddopts = \"-q\"\n",
    );
}

#[tokio::test]
async fn what_is_guarded_is_counted_and_named() {
    let mut world = World::in_git().await;
    project(&world);
    world.write("tests/conftest.py", "");
    let report = world.record().await;
    assert_eq!((report.tests, report.others_count), (2, 1));
    assert_eq!(report.others, ["tests/conftest.py"]);
    assert_eq!(report.shared, ["pyproject.toml"]);
    assert_eq!((report.locked, report.notes), (Vec::new(), Vec::new()));
}

#[tokio::test]
async fn source_and_new_tests_are_the_agents_and_changed_tests_are_told() {
    let mut worlds = [World::in_git().await, World::outside()];
    for world in &mut worlds {
        project(world);
        world.record().await;
        assert_eq!(world.changed().await, Vec::<String>::new());
        world.write("calc.py", "def add(a, b): return a + b\n");
        world.write("tests/new.sh", "assert True\n");
        let found = world.compare(&[]).await;
        assert_eq!(found.changes, []);
        assert_eq!(found.new_tests, ["tests/new.sh"]);
        world.write("tests/test_calc.py", "assert True\n");
        world.remove("tests/test_other.py");
        world.write("tests/fixtures/data.json", "{\"x\": 1}");
        let found = world.compare(&[]).await;
        let told: Vec<_> =
            found.changes.iter().map(|one| (&*one.path, one.how, &*one.what)).collect();
        assert_eq!(
            told,
            [
                ("tests/test_calc.py", GuardedHow::Changed, "a test"),
                ("tests/test_other.py", GuardedHow::Deleted, "a test")
            ]
        );
        assert_eq!(found.watched.len(), 1);
        assert_eq!(found.watched[0].path, "tests/fixtures/data.json");
    }
}

#[tokio::test]
async fn a_mode_a_link_and_a_directory_are_changes() {
    let mut worlds = [World::in_git().await, World::outside()];
    for world in &mut worlds {
        project(world);
        world.write("tests/run.sh", "exit 0\n");
        world.record().await;
        executable(&world.at("tests/run.sh"), true);
        world.remove("tests/test_calc.py");
        symlink("../calc.py", world.at("tests/test_calc.py")).unwrap();
        world.remove("tests/test_other.py");
        world.write("tests/test_other.py/x", "");
        assert_eq!(
            world.changed().await,
            ["tests/run.sh changed", "tests/test_calc.py changed", "tests/test_other.py changed"]
        );
    }
}

#[tokio::test]
async fn of_a_shared_file_only_its_guarded_keys_count() {
    let mut worlds = [World::in_git().await, World::outside()];
    for world in &mut worlds {
        project(world);
        world.record().await;
        let text = world.read("pyproject.toml");
        world.write("pyproject.toml", &text.replace("\"x\"", "\"y\""));
        assert_eq!(world.changed().await, Vec::<String>::new());
        world.write("pyproject.toml", &text.replace("-q", "-q --deselect tests"));
        let found = world.compare(&[]).await;
        assert_eq!(found.changes[0].path, "pyproject.toml");
        assert!(found.changes[0].keys[0].starts_with("tool.pytest"), "{found:?}");
    }
}

#[tokio::test]
async fn runner_configuration_that_was_added_is_told_also_where_git_ignores_it() {
    let mut world = World::in_git().await;
    project(&world);
    world.record().await;
    world.write(".gitignore", "conftest.py\n/tests/test_calc.py\n");
    world.write("conftest.py", "collect_ignore = ['tests']\n");
    world.write("pytest.ini", "[pytest]\n");
    assert_eq!(world.changed().await, ["conftest.py added", "pytest.ini added"]);
    world.write("tests/test_calc.py", "ignored, and weakened\n");
    assert!(world.changed().await.contains(&"tests/test_calc.py changed".to_owned()));
}

#[tokio::test]
async fn a_program_that_hides_another_is_told() {
    let mut world = World::in_git().await;
    world.write(".gitignore", ".venv\n");
    world.write(".venv/bin/activate", "");
    world.write(".venv/bin/python3", "#!/bin/sh\n");
    executable(&world.at(".venv/bin/python3"), true);
    world.path = vec![world.at(".venv/bin")];
    world.record().await;
    world.write(".venv/bin/pytest", "#!/bin/true\n");
    world.write(".venv/bin/python3", "#!/bin/true\n");
    assert_eq!(world.changed().await, [".venv/bin/pytest added", ".venv/bin/python3 changed"]);
    let found = world.compare(&[]).await;
    assert_eq!(found.changes[0].what, "it hides another pytest");
}

#[tokio::test]
async fn the_file_that_a_program_leads_to_is_guarded_with_it() {
    let mut world = World::in_git().await;
    world.step.checks = vec!["npx jest".to_owned()];
    world.write(".gitignore", "node_modules\n");
    world.write("node_modules/jest/bin/jest.js", "run()");
    fs::create_dir_all(world.at("node_modules/.bin")).unwrap();
    symlink("../jest/bin/jest.js", world.at("node_modules/.bin/jest")).unwrap();
    world.record().await;
    world.write("node_modules/jest/bin/jest.js", "process.exit(0)");
    assert_eq!(world.changed().await, ["node_modules/jest/bin/jest.js changed"]);
}

#[tokio::test]
async fn what_cannot_be_restored_is_locked() {
    let mut world = World::in_git().await;
    project(&world);
    fs::File::create(world.at("tests/large.bin")).unwrap().set_len(11 << 20).unwrap();
    world.write("inner/.git/HEAD", "ref: refs/heads/main\n");
    world.write("inner/tests/test_inner.py", "assert False\n");
    let report = world.record().await;
    assert_eq!(report.locked.len(), 2, "{:?}", report.locked);
    assert_eq!(world.compare(&[]).await.locked, Vec::<String>::new());
    fs::write(world.at("tests/large.bin"), "small now").unwrap();
    world.write("inner/tests/test_inner.py", "assert True\n");
    let found = world.compare(&[]).await;
    assert_eq!(found.locked.len(), 2, "{:?}", found.locked);
    assert!(found.locked[0].starts_with("`inner/tests/test_inner.py` was changed"));
    assert_eq!(found.changes, []);
}

#[tokio::test]
async fn what_the_user_changed_meanwhile_is_the_original_from_then_on() {
    let mut world = World::in_git().await;
    project(&world);
    world.record().await;
    let before = world.snapshot().await.unwrap();
    world.write("tests/test_calc.py", "the user's\n");
    world.write("tests/test_users.py", "the user's\n");
    world.write("tests/conftest.py", "the user's\n");
    let users = world.snapshot().await.unwrap();
    let some = [LaterOriginals { tree: users.clone(), since: Some(before) }];
    let all = [LaterOriginals { tree: users, since: None }];
    for later in [&some, &all] {
        let found = world.compare(later).await;
        assert_eq!((found.changes, found.new_tests), (Vec::new(), Vec::new()));
    }
    world.write("tests/test_users.py", "weakened\n");
    world.write("tests/test_other.py", "weakened\n");
    world.write("pytest.ini", "");
    for later in [&some, &all] {
        let found = world.compare(later).await.changes;
        let paths: Vec<&str> = found.iter().map(|one| &*one.path).collect();
        assert_eq!(paths, ["pytest.ini", "tests/test_other.py", "tests/test_users.py"]);
    }
}

#[tokio::test]
async fn what_was_recorded_stays_and_damage_to_it_is_an_error() {
    let mut world = World::outside();
    project(&world);
    world.record().await;
    world.write("tests/test_calc.py", "weak\n");
    // A resumed loop may ask once more.
    world.record().await;
    world.resume();
    assert_eq!(world.changed().await, ["tests/test_calc.py changed"]);
    for (file, text) in [("paths", "tests/x\0"), ("manifest", "{}")] {
        let path = world.folder().join(file);
        let held = fs::read(&path).unwrap();
        fs::write(&path, text).unwrap();
        world.resume();
        let asked = world.asked();
        let told = world.sentry.compare(None, &asked, None, &[]).await.unwrap_err();
        assert!(told.contains("is damaged"), "{told}");
        fs::write(&path, held).unwrap();
    }
    fs::remove_file(world.folder().join("manifest")).unwrap();
    world.resume();
    let asked = world.asked();
    let told = world.sentry.compare(None, &asked, None, &[]).await.unwrap_err();
    assert!(told.contains("is not known any more"), "{told}");
}

#[tokio::test]
async fn more_than_can_be_copied_is_watched_and_said() {
    let mut world = World::outside();
    fs::create_dir(world.at("tests")).unwrap();
    fs::File::create(world.at("tests/huge.bin")).unwrap().set_len(65 << 20).unwrap();
    world.write("tests/test_a.py", "assert a\n");
    let report = world.record().await;
    assert!(report.notes[0].contains("`tests/huge.bin`"), "{:?}", report.notes);
    fs::write(world.at("tests/huge.bin"), "small").unwrap();
    world.write("tests/test_a.py", "assert b\n");
    let found = world.compare(&[]).await;
    assert_eq!(found.watched[0].path, "tests/huge.bin");
    assert_eq!(found.changes[0].path, "tests/test_a.py");
}

#[tokio::test]
async fn flags_take_files_out_and_a_lock_does_not_mind_new_ones() {
    let mut world = World::in_git().await;
    project(&world);
    world.record().await;
    world.write("tests/test_calc.py", "weak\n");
    world.write("conftest.py", "");
    world.step.unguard = vec!["tests/**".to_owned()];
    assert_eq!(world.changed().await, ["conftest.py added"]);
    world.step.unguard.clear();
    world.step.locks = true;
    assert_eq!(world.changed().await, ["tests/test_calc.py changed"]);
}

#[tokio::test]
async fn what_configuration_names_and_the_packages_of_a_runner_are_guarded() {
    let mut world = World::in_git().await;
    world.write(".gitignore", "node_modules/\n");
    world.write("package.json", "{\"scripts\": {\"test\": \"sh ci/all.sh\"}}");
    world.write("ci/all.sh", "node tools/run.mjs\n");
    world.write("tools/run.mjs", "\n");
    world.write("vitest.config.ts", "export default { test: { setupFiles: ['./config/init'] } };");
    world.write("config/init.ts", "export {};\n");
    world.write("config/other.ts", "export {};\n");
    world.write("node_modules/vitest/dist/index.js", "export {};\n");
    world.write("node_modules/two/index.js", "2\n");
    world.record().await;
    assert_eq!(world.changed().await, Vec::<String>::new());
    let changed = [
        "ci/all.sh",
        "config/init.ts",
        "config/other.ts",
        "node_modules/two/index.js",
        "node_modules/vitest/dist/index.js",
        "tools/run.mjs",
    ];
    for path in changed {
        world.write(path, "changed\n");
    }
    let guarded =
        ["ci/all.sh", "config/init.ts", "node_modules/vitest/dist/index.js", "tools/run.mjs"];
    let found = world.compare(&[]).await;
    let found: Vec<&str> = found.changes.iter().map(|change| &*change.path).collect();
    assert_eq!(found, guarded);
}
