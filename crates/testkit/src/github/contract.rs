//! Holds requests against GitHub's own description of its API. `openapi.json` is made of it by
//! `scripts/github-openapi`.

use serde_json::{Value, json};

use super::Request;

const DESCRIPTION: &str = include_str!("openapi.json");

/// Holds a value against a schema, and gives what is wrong. Tests hand in `jsonschema`'s, which is
/// no dependency of anything but tests.
pub type Against<'a> = &'a dyn Fn(&Value, &Value) -> Vec<String>;

/// What is wrong with a request, by GitHub's own description; nothing, as a rule.
pub fn complaints(request: &Request, against: Against<'_>) -> Vec<String> {
    let description: Value = serde_json::from_str(DESCRIPTION).expect("the fixture is JSON");
    let paths = description["paths"].as_object().expect("the fixture has paths");
    let method = request.method.to_ascii_lowercase();
    let operation = paths
        .iter()
        .find(|(template, _)| is_of(&request.path, template))
        .and_then(|(_, methods)| methods.get(&method));
    let Some(operation) = operation else {
        return vec![format!("{} {} is not described", request.method, request.path)];
    };
    let mut complaints = in_headers(request);
    complaints.extend(in_query(request, &operation["parameters"], against));
    complaints.extend(in_body(request, operation.get("requestBody"), against));
    complaints.iter().map(|wrong| format!("{}: {wrong}", request.line())).collect()
}

/// Whether a path is of a template such as `/repos/{owner}/{repo}/pulls`.
fn is_of(path: &str, template: &str) -> bool {
    let (path, template) = (path.split('/'), template.split('/'));
    path.clone().count() == template.clone().count()
        && path.zip(template).all(|(part, wanted)| wanted.starts_with('{') || part == wanted)
}

fn in_headers(request: &Request) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, wanted) in [
        ("accept", "application/vnd.github+json"),
        ("x-github-api-version", "2022-11-28"),
        ("user-agent", "windlass/"),
        ("authorization", "Bearer "),
    ] {
        if !request.header(name).is_some_and(|value| value.starts_with(wanted)) {
            complaints.push(format!("the header `{name}` does not begin with `{wanted}`"));
        }
    }
    complaints
}

fn in_query(request: &Request, parameters: &Value, against: Against<'_>) -> Vec<String> {
    let known = parameters.as_array().into_iter().flatten();
    let known: Vec<&Value> = known.filter(|parameter| parameter["in"] == "query").collect();
    let wrong = request.query.iter().filter_map(|(name, value)| {
        let Some(parameter) = known.iter().find(|parameter| parameter["name"] == **name) else {
            return Some(format!("`{name}` is not described"));
        };
        let value = value.parse::<u64>().map_or_else(|_| json!(value), |number| json!(number));
        let is_text = parameter["schema"]["type"] == "string" && value.is_number();
        let value = if is_text { json!(value.to_string()) } else { value };
        let wrong = against(&parameter["schema"], &value).join("; ");
        (!wrong.is_empty()).then(|| format!("`{name}`: {wrong}"))
    });
    wrong.collect()
}

fn in_body(request: &Request, schema: Option<&Value>, against: Against<'_>) -> Vec<String> {
    match schema {
        None if request.body.is_null() => Vec::new(),
        None => vec!["it has a body".to_owned()],
        Some(schema) => {
            // What is not described would be ignored, and is a slip.
            let strict = strict(schema);
            let wrong = against(&strict, &request.body);
            wrong.iter().map(|why| format!("body: {why}")).collect()
        }
    }
}

/// The schema, for objects with no other names than the ones that it knows.
fn strict(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        for (_, property) in properties.iter_mut() {
            *property = strict(property);
        }
        schema["additionalProperties"] = json!(false);
    }
    if schema.get("items").is_some() {
        schema["items"] = strict(&schema["items"]);
    }
    schema
}
