//! For any events in any portions: the store gives back what it was given.

use proptest::{collection::vec, prelude::*};
use windlass_core::{
    ending::{ClaimedBy, Ending},
    event::{ClaimFate, Event, EventKind},
    ids::Place,
    outcome::Outcome,
    said::{Said, Usage},
    step::{Fingerprints, Step, StepResult, WaitFor},
    time::Timestamp,
    tree::Snapshot,
};
use windlass_store::store::{Durability, Store};

use super::script::{
    check_finished, check_started, iteration_finished, new_loop, session_finished, session_started,
    started,
};

fn words() -> impl Strategy<Value = String> {
    prop_oneof![".{0,40}", "[\\x00-\\x1f\"\\\\'{}\u{202e}é𝄞]{0,20}", Just(String::new())]
}

fn place() -> impl Strategy<Value = Place> {
    (0..4_u32, 0..3_u32).prop_map(|(iteration, what)| Place::new(iteration, what))
}

fn said() -> impl Strategy<Value = Said> {
    prop_oneof![
        words().prop_map(|text| Said::Text { text }),
        words().prop_map(|text| Said::Raw { text }),
        words().prop_map(|text| Said::Problem { text }),
        words().prop_map(|text| Said::Stderr { text }),
        (words(), words()).prop_map(|(name, summary)| Said::ToolUse { name, summary }),
        (words(), any::<bool>()).prop_map(|(summary, failed)| Said::ToolResult { summary, failed }),
        (words(), any::<bool>()).prop_map(|(summary, failed)| Said::Hook { summary, failed }),
        (any::<u64>(), any::<u64>(), proptest::option::of(0.0..1e6)).prop_map(
            |(input_tokens, output_tokens, cost_usd)| {
                Said::Usage(Usage { input_tokens, output_tokens, cost_usd })
            }
        ),
        proptest::option::of(0..4_000_000_000_000_i64)
            .prop_map(|until| Said::Limit { until: until.map(Timestamp) }),
    ]
}

fn kind() -> impl Strategy<Value = EventKind> {
    prop_oneof![
        3 => (place(), words()).prop_map(|(place, prompt)| session_started(&place, &prompt)),
        8 => (place(), said()).prop_map(|(place, said)| EventKind::AgentSaid { place, said }),
        3 => (place(), words())
            .prop_map(|(place, text)| session_finished(&place, Outcome::Finished, &text)),
        1 => (place(), words()).prop_map(|(place, text)| {
            session_finished(&place, Outcome::Crashed { signal: Some(9), code: None }, &text)
        }),
        1 => place().prop_map(|place| check_started(&place)),
        1 => (place(), any::<bool>()).prop_map(|(place, passed)| check_finished(&place, passed)),
        1 => (place(), words()).prop_map(|(place, tree)| EventKind::StepFinished {
            place,
            result: StepResult::Snapshot { snapshot: Some(Snapshot { tree, head: None }), changed: 1, modified: 1, paths: Vec::new(), lines: 0, only_numbers: false, programs: Fingerprints::new(), notes: Vec::new() },
        }),
        1 => place().prop_map(|place| EventKind::StepStarted {
            place,
            step: Step::Wait {
                until: Timestamp(5),
                what: WaitFor::Pause,
                reason: String::new(),
            },
            fingerprint: String::new(),
        }),
        1 => (0..9_u32).prop_map(|iteration| EventKind::IterationStarted { iteration }),
        1 => (0..9_u32).prop_map(|iteration| iteration_finished(iteration, ClaimFate::None)),
        1 => (0..9_u32, vec(words(), 0..3))
            .prop_map(|(iteration, reasons)| EventKind::ClaimRejected { iteration, reasons }),
        1 => (0..9_u32).prop_map(|iteration| EventKind::ClaimAccepted {
            iteration,
            by: ClaimedBy::Status,
            checks: 0,
            waived: false,
            tree: None,
            doubts: Vec::new(),
        }),
        1 => (words(), words())
            .prop_map(|(rule, reason)| EventKind::RuleTripped { rule, reason, undecided: None }),
        1 => words().prop_map(|text| EventKind::Noted { text }),
        1 => (1..9_u64).prop_map(|epoch| EventKind::LoopResumed { epoch, max_iterations: 3, start: None, accepting: false }),
        1 => Just(EventKind::LoopFinished { ending: Ending::MaxIterations { limit: 3, left: None } }),
        1 => Just(EventKind::CircuitReset),
        1 => Just(started()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_store_gives_back_what_it_was_given(
        kinds in vec((kind(), -100_000_000_000..4_000_000_000_000_i64), 1..60),
        portion in 1..20_usize,
        again in any::<bool>(),
    ) {
        let home = tempfile::tempdir().unwrap();
        let mut store = Store::open(home.path()).unwrap();
        let new = new_loop("a", home.path());
        store.create_loop(&new).unwrap();
        let events: Vec<Event> = (1..)
            .zip(kinds)
            .map(|(seq, (kind, at))| {
                Event { seq, at: Timestamp(at), ran_ms: None, loop_id: new.id.clone(), kind }
            })
            .collect();
        for portion in events.chunks(portion) {
            store.append(&new.id, 1, portion, Durability::Process).unwrap();
            if again {
                drop(store);
                store = Store::open(home.path()).unwrap();
            }
        }
        prop_assert_eq!(&store.events(&new.id, 0, usize::MAX).unwrap(), &events);
        let mut silent = events;
        silent.retain(|event| !matches!(event.kind, EventKind::AgentSaid { .. }));
        prop_assert_eq!(store.history(&new.id).unwrap(), silent);
        let health = Store::check(home.path()).unwrap().unwrap();
        prop_assert!(health.is_good(), "{:?}", health);
    }
}
