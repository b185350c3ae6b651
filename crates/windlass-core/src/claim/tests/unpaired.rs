//! Fences that a plain command opens and never closes.

use super::*;

/// What plain commands print where fences do not pair up, with its right reading.
const UNPAIRED: &[(&str, &str)] = &[
    // A fence that is never closed covers its paragraph.
    ("```\nlog of the build\n\nAll is done.\n{}", "claims"),
    ("```\nlog of the build\n\nAll is done: {}", "claims"),
    ("log\n```\n\n{}\nbye", "claims"),
    ("```\nlog of the build\n{}", "code_block"),
    ("{}\n```\nlog", "claims"),
    ("{}\n\n```\nlog\n\nbye", "claims"),
    ("```\nlog\n\n    {}", "code_block"),
    // Where it is not known which fence is alone, nothing counts between them.
    ("```\nlog\n\nI will say:\n```\n{}\n```\nbye", "code_block"),
    ("```\nlog\n\nI will say:\n```\n{}\n```\n\n{}", "claims"),
    ("log ```\n\n{}\n", "claims"),
];

#[test]
fn a_fence_that_a_plain_command_never_closes_covers_its_paragraph() {
    let mut wrong = Vec::new();
    for (text, expected) in UNPAIRED {
        let found = shown(&printed(&Claiming::default(), "go", text));
        if found != *expected {
            wrong.push(format!("{text:?}: {expected}, and not {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let block = "---LOOP_STATUS---\nSTATUS: COMPLETE\n---END_LOOP_STATUS---";
    let read = |text: &str| printed(&Claiming::default(), "go", text);
    assert_eq!(shown(&read(&format!("```\nlog\n\n{block}"))), "claims");
    assert_eq!(shown(&read(&format!("I say: ```\n{block}\n```"))), "code_block");
    let report = "<blocked>no key</blocked>";
    assert_eq!(read(&format!("```\nlog\n\n{report}")).blocked.as_deref(), Some("no key"));
    assert_eq!(read(&format!("I say: ```\n{report}\n```\nbye")).blocked, None);
    assert_eq!(in_message(&Claiming::default(), &format!("```\nlog\n\n{TAG}")).by, None);
}
