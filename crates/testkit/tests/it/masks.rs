//! Masks learn ids and names from the store.

use testkit::Env;

#[test]
#[expect(clippy::disallowed_methods, reason = "a store is made by hand")]
fn ids_and_names_of_loops_are_learnt_from_the_store() {
    let env = Env::outside_git("/bin/sh");
    std::fs::create_dir(env.windlass_home()).unwrap();
    let store = rusqlite::Connection::open(env.windlass_home().join("any.db")).unwrap();
    let rows = "create table loops (id, name);
                insert into loops values ('0123456789abcdef', 'brave-otter'), ('77', 'mine');";
    store.execute_batch(rows).unwrap();
    assert_eq!(env.sql("select name from loops"), "brave-otter\nmine\n");
    let ran = env.windlass(["-c", "echo brave-otter 01234567 took 1.5s, mine not"]).success();
    assert_eq!(ran.masked_stdout(), "[name] [id....] took [time], mine not\n");
}
