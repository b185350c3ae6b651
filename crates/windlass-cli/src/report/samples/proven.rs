//! A loop with a baseline, guarded tests, a claim that the original tests refute, and one that they
//! bear out, with doubts.

use windlass_core::{event::Event, proof_record::ProofRecord, result::LoopResult};

use super::{read, result};

const PROVEN: &str = r#"
{"type":"loop_started","name":"brave-otter","kind":"iterate","directory":"/work","agent":"command","max_iterations":20,"version":"0.1.0"}
{"type":"guarded","tests":12,"others":["conftest.py","pytest.ini"],"others_count":2,"shared":["pyproject.toml"]}
{"type":"step_started","place":"0/baseline/1","step":{"type":"check","command":"pytest","tree":"0a2b3c4d5e"},"fingerprint":"a"}
{"type":"step_finished","place":"0/baseline/1","result":{"type":"check","command":"pytest","passed":false,"exit_code":1,"timed_out":false,"tail":"3 failed, 38 passed","output_hash":"h","tree":"0a2b3c4d5e","duration_ms":900,"tests":{"passed":38,"failed":3,"skipped":0,"failing":["test_a","test_b","test_c"]}}}
{"type":"baseline","state":"failed","checks":[{"command":"pytest","passed":false,"tests":{"passed":38,"failed":3,"skipped":0,"failing":["test_a","test_b","test_c"]}}]}
{"type":"iteration_started","iteration":1}
{"type":"claimed","iteration":1,"by":"promise"}
{"type":"step_started","place":"1/check/1","step":{"type":"check","command":"pytest","tree":"1a2b3c4d5e"},"fingerprint":"b"}
{"type":"step_finished","place":"1/check/1","result":{"type":"check","command":"pytest","passed":false,"exit_code":1,"timed_out":false,"tail":"1 failed, 40 passed","output_hash":"h","tree":"1a2b3c4d5e","duration_ms":2100,"tests":{"passed":40,"failed":1,"skipped":0,"failing":["test_c"]},"first_error":"tests/test_c.py:3: no such name"}}
{"type":"tests","iteration":1,"command":"pytest","tests":{"passed":40,"failed":1,"skipped":0,"failing":["test_c"]},"failed_at_baseline":3,"failed_before":3}
{"type":"step_started","place":"1/guarded","step":{"type":"guarded","guard":{},"tree":"1a2b3c4d5e"},"fingerprint":"c"}
{"type":"step_finished","place":"1/guarded","result":{"type":"guarded","changes":[{"path":"tests/test_a.py","how":"changed","what":"a test"},{"path":"pyproject.toml","how":"changed","what":"it decides which tests run","keys":["tool.pytest.ini_options"]}]}}
{"type":"originals","iteration":1,"state":"failed","changes":[{"path":"tests/test_a.py","how":"changed","what":"a test"},{"path":"pyproject.toml","how":"changed","what":"it decides which tests run","keys":["tool.pytest.ini_options"]}],"failing":["test_a","test_b"]}
{"type":"proof","iteration":1,"proof":{"checks":[{"command":"pytest","passed":false,"exit_code":1,"duration_ms":2100,"output_hash":"h","tests":{"passed":40,"failed":1,"skipped":0,"failing":["test_c"]}}],"baseline":"failed","tests":{"passed":40,"failed":1,"skipped":0,"failing":["test_c"]},"originals":"failed","hidden":"none","second_opinion":null,"doubts":[],"flaky":[],"tree":"1a2b3c4d5e"}}
{"type":"claim_rejected","iteration":1,"reasons":["the check `pytest` failed with exit code 1"]}
{"type":"iteration_finished","iteration":1,"tree":"1a2b3c4d5e","head":null,"files_changed":2,"files_modified":2,"claim":"rejected","duration_ms":5200}
"#;

const DOUBTED: &str = r#"
{"type":"iteration_started","iteration":2}
{"type":"claimed","iteration":2,"by":"promise"}
{"type":"step_started","place":"2/check/1","step":{"type":"check","command":"pytest","tree":"2b3c4d5e6f"},"fingerprint":"d"}
{"type":"step_finished","place":"2/check/1","result":{"type":"check","command":"pytest","passed":true,"exit_code":0,"timed_out":false,"tail":"41 passed","output_hash":"h","tree":"2b3c4d5e6f","duration_ms":100,"tests":{"passed":41,"failed":0,"skipped":2,"failing":[]}}}
{"type":"tests","iteration":2,"command":"pytest","tests":{"passed":41,"failed":0,"skipped":2,"failing":[]},"failed_at_baseline":3,"failed_before":1}
{"type":"originals","iteration":2,"state":"passed","changes":[{"path":"tests/test_a.py","how":"changed","what":"a test"}],"failing":[]}
{"type":"proof","iteration":2,"proof":{"checks":[{"command":"pytest","passed":true,"exit_code":0,"duration_ms":100,"output_hash":"h","tests":{"passed":41,"failed":0,"skipped":2,"failing":[]}}],"baseline":"failed","tests":{"passed":41,"failed":0,"skipped":2,"failing":[]},"originals":"passed","hidden":"none","second_opinion":null,"doubts":[{"detector":"watched","file":"tests/fixtures/a.json","line":null,"reason":"a watched file changed","confidence":"likely"},{"detector":"tests","file":null,"line":null,"reason":"2 tests are skipped that ran before","confidence":"likely"}],"flaky":["pytest"],"tree":"2b3c4d5e6f"}}
{"type":"claim_accepted","iteration":2,"by":"promise","checks":1,"tree":"2b3c4d5e6f","doubts":["2 tests are skipped that ran before"]}
{"type":"iteration_finished","iteration":2,"tree":"2b3c4d5e6f","head":null,"files_changed":1,"files_modified":1,"claim":"accepted","duration_ms":61200}
{"type":"loop_finished","ending":{"type":"done","by":"promise"}}
"#;

/// The loop up to the claim that was rejected.
pub(crate) fn refuted() -> Vec<Event> {
    read(PROVEN)
}

/// The whole loop.
pub(crate) fn proven() -> Vec<Event> {
    read(&format!("{PROVEN}{DOUBTED}"))
}

/// The proof of the last claim in these events.
pub(crate) fn proof(events: &[Event]) -> Option<ProofRecord> {
    let mut view = windlass_core::view::LoopView::default();
    events.iter().for_each(|event| view.apply(event));
    view.proof
}

/// What the whole loop came to.
pub(crate) fn proven_result() -> LoopResult {
    let doubts = vec!["2 tests are skipped that ran before".to_owned()];
    LoopResult { proof: proof(&proven()), doubts, ..result() }
}
