//! Title and description: only what is windlass's own changes, and doing it again is harmless.

use testkit::github::Fault;
use windlass::forge::Forge;
use windlass_core::forge::ForgeError;

use super::Stand;

const SECTION: &str = "<!-- windlass:begin -->\n*Reviewed*\n<!-- windlass:end -->";

#[tokio::test]
async fn a_second_run_replaces_its_own_text_and_nothing_of_the_authors() {
    let stand = Stand::new();
    let client = &stand.client;
    let body = || stand.world(|world| world.pull(7).body.clone().unwrap());
    assert_eq!(client.update_description(7, "*Reviewed*").await, Ok(true));
    assert_eq!(body(), format!("Adds a pump.\n\n{SECTION}"));
    assert_eq!(client.update_description(7, "*Reviewed*").await, Ok(false));
    stand.world(|world| world.pull(7).body = Some(format!("Mine.\n{SECTION}\nMine too.")));
    assert_eq!(client.update_description(7, "*Twice*").await, Ok(true));
    assert_eq!(body(), format!("Mine.\n{SECTION}\nMine too.").replace("Reviewed", "Twice"));
    assert_eq!(stand.count("PATCH 7"), 2);
    stand.world(|world| world.pull(7).body = None);
    assert_eq!(client.update_description(7, "*Reviewed*").await, Ok(true));
    assert_eq!(body(), SECTION);
}

#[tokio::test]
async fn the_title_is_changed_where_it_is_another() {
    let stand = Stand::new();
    assert_eq!(stand.client.update_title(7, "Add a pump").await, Ok(false));
    assert_eq!(stand.client.update_title(7, "Add two pumps").await, Ok(true));
    assert_eq!(stand.world(|world| world.pull(7).title.clone()), "Add two pumps");
    assert_eq!(stand.requests().last().unwrap().body.to_string(), r#"{"title":"Add two pumps"}"#);
}

#[tokio::test]
async fn a_lost_answer_is_read_back() {
    for (fault, patches) in [
        (Fault::LoseTheAnswer, 1),
        (Fault::DoneBut(502), 1),
        (Fault::DropTheRequest, 2),
        (Fault::status(500, "Server Error"), 2),
    ] {
        let stand = Stand::new();
        stand.fault("PATCH", "/7", fault.clone());
        assert_eq!(stand.client.update_description(7, "*Reviewed*").await, Ok(true), "{fault:?}");
        assert_eq!(stand.count("PATCH 7"), patches, "{fault:?}");
    }
}

#[tokio::test]
async fn what_never_comes_about_is_unconfirmed() {
    let stand = Stand::new();
    for _ in 0..9 {
        stand.fault("PATCH", "/7", Fault::DropTheRequest);
    }
    let error = stand.client.update_title(7, "x").await.unwrap_err();
    assert!(matches!(error, ForgeError::Unconfirmed { .. }), "{error}");
    assert_eq!(stand.count("PATCH 7"), 3);
}

#[tokio::test]
async fn a_description_without_room_stays_as_it_is() {
    let stand = Stand::new();
    stand.world(|world| world.pull(7).body = Some("x".repeat(65_530)));
    let error = stand.client.update_description(7, "*Reviewed*").await.unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
    assert_eq!(stand.count("PATCH 7"), 0);
}
