//! What a comparison costs; run by hand, with `--run-ignored all` and the profile that ships.

use std::time::Instant;

use super::world::World;

#[tokio::test]
#[ignore = "it measures"]
async fn twenty_changes_among_ten_thousand_files() {
    let mut world = World::in_git().await;
    for number in 0..10_000 {
        let folder = if number % 5 == 0 { "tests" } else { "src" };
        world.write(&format!("{folder}/{}/f{number}.py", number % 100), &format!("{number}\n"));
    }
    world.record().await;
    for number in 0..20 {
        world.write(&format!("tests/{}/f{}.py", number * 5, number * 5), "weak\n");
    }
    let now = world.snapshot().await;
    let asked = world.asked();
    for _ in 0..5 {
        let began = Instant::now();
        let found =
            world.sentry.compare(world.tree.as_ref(), &asked, now.clone(), &[]).await.unwrap();
        assert_eq!(found.changes.len(), 20);
        println!("{:?}", began.elapsed());
    }
}
