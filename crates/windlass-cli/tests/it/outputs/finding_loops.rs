//! How a command finds the loop that is meant, and the list of all loops.

use super::finished;
use crate::scripted;

#[test]
fn a_loop_is_found_by_name_by_id_by_a_prefix_and_by_where_you_are() {
    let env = finished();
    scripted(&env, "say no", &["--name", "other", "--max-iterations", "1"]).run().code(1);
    let id = env.sql("SELECT id FROM loops WHERE name = 'mine'");
    let id = id.trim();
    let found = |reference: &str| {
        let status = env.windlass(["status", reference, "--json"]).success();
        status.json()["name"].as_str().unwrap().to_owned()
    };
    for reference in ["mine", "mi", id, &id[..10]] {
        assert_eq!(found(reference), "mine", "{reference}");
    }
    assert_eq!(env.windlass(["status", "--json"]).success().json()["name"], "other");
    scripted(&env, "say no", &["--name", "minor", "--max-iterations", "1"]).run().code(1);
    assert_eq!(found("mine"), "mine", "a whole name wins over a beginning");
    insta::assert_snapshot!(env.windlass(["status", "mi"]).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: `mi` fits several loops: minor, mine

    hint: `windlass list` shows all loops
    ");
}

#[test]
fn list_goes_over_all_directories_newest_first() {
    let env = finished();
    env.write("sub/x", "");
    let call = scripted(&env, "say no", &["--name", "below", "--max-iterations", "1"]);
    call.arg("-C").arg("sub").run().code(1);
    let names = |args: &[&str]| {
        let list = env.windlass(args.iter().copied()).success().json();
        let names = list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap());
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(names(&["list", "--json"]), ["below", "mine"]);
    assert_eq!(names(&["list", "--here", "--json"]), ["mine"]);
    assert_eq!(names(&["list", "--here", "--json", "-C", "sub"]), ["below"]);
    insta::assert_snapshot!(env.windlass(["list"]).snapshot(), @"
    exit: 0
    --- stdout
    NAME   KIND     TASK     ENDING                                        ENDED     COST  DIRECTORY
    below  iterate  mend it  ✗ not done: iteration limit (1) reached       just now        /tmp/windlass-XXXXXX/work/sub
    mine   iterate  mend it  ✓ done after 2 iterations, its checks passed  just now        /tmp/windlass-XXXXXX/work
    --- stderr
    ");
}
