//! The description of the API is true: it has every address, and real answers are as it says.

use serde_json::{Value, json};
use testkit::web::{Reply, Web};

use crate::{
    oracle::CLAIM,
    serve::{end, scripted, serve},
    world,
};

/// Fails unless an answer is as the description says.
#[track_caller]
fn is_as_described(api: &Value, method: &str, path: &str, reply: &Reply) {
    let responses = &api["paths"][path][method]["responses"];
    let status = reply.status.to_string();
    let described = responses.get(&status).unwrap_or(&responses["default"]);
    let is_plain = reply.status < 400 || status == "409" || responses.get(&status).is_none();
    assert!(is_plain, "{path}: {status}");
    let mut schema = described["content"]["application/json"]["schema"].clone();
    assert!(schema.is_object(), "{method} {path} {status} has no schema");
    schema["components"] = api["components"].clone();
    let schema = jsonschema::validator_for(&schema).expect("the schema is sound");
    let body = reply.json();
    let wrong: Vec<_> = schema.iter_errors(&body).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{method} {path}: {wrong:?}\n{body:#}");
}

#[test]
fn every_address_of_the_api_is_described_with_its_methods() {
    let env = world();
    let (server, web) = serve(&env);
    let api = web.get("/api/v1/openapi.json").expect(200).json();
    let written = testkit::source::text("docs/openapi.json");
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), api);
    let paths = api["paths"].as_object().unwrap();
    let source = testkit::source::text("crates/windlass-cli/src/web/api/mod.rs");
    let routes: Vec<&str> =
        source.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1)).collect();
    let mut described: Vec<&str> = paths.keys().map(String::as_str).collect();
    let mut there = routes.clone();
    described.sort_unstable();
    there.sort_unstable();
    assert_eq!(there, described);
    for (path, operations) in paths {
        let address = path.replace("{id}", "x").replace("{n}", "1");
        let json = format!("{}Content-Type: application/json\r\n", web.own_headers());
        let refused = web.ask("PATCH", &address, &json, b"{}").expect(405);
        let mut allowed: Vec<String> =
            refused.header("allow").split(',').map(|method| method.trim().to_lowercase()).collect();
        allowed.retain(|method| method != "head");
        allowed.sort_unstable();
        let mut methods: Vec<&String> = operations.as_object().unwrap().keys().collect();
        methods.sort_unstable();
        assert_eq!(allowed.iter().collect::<Vec<_>>(), methods, "{path}");
    }
    end(server);
}

fn post(api: &Value, web: &Web, path: &str, id: &str, body: &Value) -> Value {
    let reply = web.post(&path.replace("{id}", id), body);
    is_as_described(api, "post", path, &reply);
    reply.json()
}

#[test]
fn real_answers_are_as_they_are_described() {
    let env = world();
    let (server, web) = serve(&env);
    let api = web.get("/api/v1/openapi.json").expect(200).json();
    let script = format!("say one\nuse-tool Edit a.txt\nwrite a.txt one\nnext\nsay {CLAIM}");
    let mut start = scripted(&env, &script.replace("use-tool Edit a.txt\n", ""));
    start["options"]["check"] = json!(["true"]);
    let begun = post(&api, &web, "/api/v1/loops", "", &start);
    let id = begun["id"].as_str().unwrap();
    web.follow(id, None).for_each(drop);
    for path in [
        "/api/v1/loops",
        "/api/v1/loops/{id}",
        "/api/v1/loops/{id}/iterations",
        "/api/v1/loops/{id}/messages",
        "/api/v1/loops/{id}/findings",
        "/api/v1/loops/{id}/diff",
        "/api/v1/directories",
    ] {
        let reply = web.get(&path.replace("{id}", id)).expect(200);
        is_as_described(&api, "get", path, &reply);
        if path.contains("{id}") {
            let unknown = web.get(&path.replace("{id}", "nobody")).expect(404);
            is_as_described(&api, "get", path, &unknown);
        }
    }
    let diff = web.get(&format!("/api/v1/loops/{id}/diff/1")).expect(200);
    is_as_described(&api, "get", "/api/v1/loops/{id}/diff/{n}", &diff);
    post(&api, &web, "/api/v1/loops/{id}/cancel", id, &json!({}));
    post(&api, &web, "/api/v1/loops/{id}/resume", id, &json!({}));
    post(&api, &web, "/api/v1/loops/{id}/reset", id, &json!({}));
    post(&api, &web, "/api/v1/loops", "", &json!({"kind": "x"}));
    let pages = web.get(&format!("/api/v1/loops/{id}?limit=1")).expect(200).json();
    assert_eq!(pages["iterations"].as_array().unwrap().len(), 1);
    assert_eq!(pages["next_after"], json!(1));
    let rest = web.get(&format!("/api/v1/loops/{id}/iterations?after=1")).expect(200).json();
    assert_eq!(rest["iterations"][0]["number"], json!(2));
    assert_eq!(rest["next_after"], json!(null));
    end(server);
}
