//! Gemini's words come in pieces that end anywhere; what is shown of them ends with a line.

use std::{collections::BTreeMap, path::Path};

use windlass_agents::{Agent, Ask, Gemini, Wishes};
use windlass_core::{options::Claiming, said::Said};

#[test]
fn a_line_that_is_still_being_said_is_not_cut_in_two() {
    let mut decoder = Gemini.decoder(&Ask {
        role: "agent",
        iteration: 1,
        prompt: "",
        directory: Path::new("/w"),
        env: &BTreeMap::new(),
        claiming: &Claiming::default(),
        wishes: &Wishes::default(),
        is_root: false,
        prompt_file: Path::new("/"),
        hooks_file: None,
    });
    let mut said = Vec::new();
    for piece in ["It is", " done.\\n<promi", "se>COMPLETE</promise>"] {
        let line =
            format!(r#"{{"type":"message","role":"assistant","content":"{piece}","delta":true}}"#);
        decoder.line(line.as_bytes(), false, &mut said);
        // Time goes by between the pieces.
        decoder.flush(&mut said);
    }
    decoder.line(br#"{"type":"result","status":"success","stats":{}}"#, false, &mut said);
    let texts: Vec<&str> = said
        .iter()
        .filter_map(|said| match said {
            Said::Text { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(texts, ["It is done.\n", "<promise>COMPLETE</promise>"]);
}
