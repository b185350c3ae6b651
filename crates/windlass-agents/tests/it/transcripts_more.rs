//! What OpenCode, Gemini and Aider printed, recorded from the real programs, and what it is read
//! as. The recordings have a folder each below `tests/transcripts`.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Deserialize;
use windlass_agents::{Agent, Aider, Ask, Decoder, Gemini, OpenCode, Reading, Wishes};
use windlass_core::{
    options::Claiming,
    process::{EndedBy, Exit},
    said::Said,
};
use windlass_system::process::{Block, Lines};

/// One recorded session.
struct Recorded {
    case: String,
    stdout: Vec<u8>,
    exit: Exit,
}

#[derive(Deserialize)]
struct Meta {
    exit_code: i32,
    timed_out: bool,
    /// Programs that outlived it.
    #[serde(default)]
    leftovers: Vec<String>,
}

fn recorded(agent: &str) -> Vec<Recorded> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(agent);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|ext| ext == "stdout")).collect();
    files.sort();
    let recorded: Vec<Recorded> = files.iter().map(|path| read(path)).collect();
    assert!(recorded.len() > 20, "the recordings of {agent} were not found");
    recorded
}

fn read(stdout: &Path) -> Recorded {
    let meta = fs::read(stdout.with_extension("meta.json")).unwrap();
    let meta: Meta = serde_json::from_slice(&meta).unwrap();
    Recorded {
        case: stdout.file_stem().unwrap().to_str().unwrap().to_owned(),
        stdout: fs::read(stdout).unwrap(),
        exit: Exit {
            code: (meta.exit_code >= 0).then_some(meta.exit_code),
            signal: (meta.exit_code < 0).then_some(-meta.exit_code),
            ended_by: meta.timed_out.then_some(EndedBy::TotalLimit),
            leftovers: meta.leftovers,
            survivors: Vec::new(),
            leaky: false,
            duration: Duration::ZERO,
        },
    }
}

pub(crate) fn decode<'a>(
    agent: &dyn Agent,
    chunks: impl IntoIterator<Item = &'a [u8]>,
    exit: &Exit,
) -> (Reading, Vec<Said>) {
    decode_with(agent, &Claiming::default(), chunks, exit)
}

pub(crate) fn decode_with<'a>(
    agent: &dyn Agent,
    claiming: &Claiming,
    chunks: impl IntoIterator<Item = &'a [u8]>,
    exit: &Exit,
) -> (Reading, Vec<Said>) {
    let ask = Ask {
        role: "agent",
        iteration: 1,
        prompt: "go",
        directory: Path::new("$REPO"),
        env: &BTreeMap::new(),
        claiming,
        wishes: &Wishes::default(),
        is_root: false,
        prompt_file: Path::new("/prompt"),
        hooks_file: None,
    };
    let mut decoder = agent.decoder(&ask);
    let mut lines = Lines::with_limit(decoder.longest_line());
    let mut said = Vec::new();
    let mut take = |decoder: &mut dyn Decoder, block: Block<'_>| match block {
        Block::Line(line) => decoder.line(line.bytes, line.cut, &mut said),
        Block::Lines(lines) => decoder.lines(lines, &mut said),
    };
    for chunk in chunks {
        lines.push_blocks(chunk, |block| take(&mut *decoder, block));
    }
    lines.finish(|line| take(&mut *decoder, Block::Line(line)));
    let reading = decoder.finish(exit, &mut said);
    (reading, said)
}

/// All that was read out of the recordings, some lines each.
fn readings(agent: &dyn Agent) -> String {
    let mut out = String::new();
    for recorded in recorded(agent.name()) {
        let (reading, said) = decode(agent, [recorded.stdout.as_slice()], &recorded.exit);
        let claim = if reading.claim.by.is_some() { ", claims" } else { "" };
        writeln!(out, "{}: {}{claim}", recorded.case, reading.outcome).unwrap();
        if !reading.lost_background.is_empty() {
            writeln!(out, "  lost in the background: {:?}", reading.lost_background).unwrap();
        }
        let usage = reading.usage;
        let cost = usage.cost_usd.map_or("no cost".to_owned(), |cost| format!("${cost:.4}"));
        let model = reading.model.as_deref().unwrap_or("no model");
        writeln!(
            out,
            "  {} in, {} out, {cost}, {model}, {} tools",
            usage.input_tokens, usage.output_tokens, reading.tools
        )
        .unwrap();
        let told: Vec<&Said> = said.iter().filter(|said| !matches!(said, Said::Usage(_))).collect();
        if let Some(first) = told.first() {
            writeln!(out, "  first {}: {}", first.word(), brief(&first.content())).unwrap();
        }
        if let Some(last) = told.last().filter(|_| told.len() > 1) {
            writeln!(out, "  last {}: {}", last.word(), brief(&last.content())).unwrap();
        }
        for tool in said.iter().filter(|said| matches!(said, Said::ToolUse { .. })) {
            writeln!(out, "  tool: {}", tool.content()).unwrap();
        }
        if let Some(problem) = &reading.problem {
            writeln!(out, "  problem: {}", brief(problem)).unwrap();
        }
    }
    out
}

fn brief(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[test]
fn opencode_is_read_as_it_was_recorded() {
    insta::assert_snapshot!("opencode_is_read_as_it_was_recorded", readings(&OpenCode));
}

#[test]
fn gemini_is_read_as_it_was_recorded() {
    insta::assert_snapshot!("gemini_is_read_as_it_was_recorded", readings(&Gemini));
}

#[test]
fn aider_is_read_as_it_was_recorded() {
    insta::assert_snapshot!("aider_is_read_as_it_was_recorded", readings(&Aider));
}

#[test]
fn wherever_the_stream_is_cut_the_same_is_read() {
    for agent in [&OpenCode as &dyn Agent, &Gemini, &Aider] {
        for Recorded { case, stdout, exit } in recorded(agent.name()) {
            let whole = decode(agent, [stdout.as_slice()], &exit);
            // The bytes one by one come to every cut between lines; these are cuts within.
            let step = stdout.len() / 60 + 1;
            for at in (0..stdout.len()).step_by(step) {
                let (head, tail) = stdout.split_at(at);
                assert_eq!(decode(agent, [head, tail], &exit), whole, "{case} cut at {at}");
            }
            assert_eq!(decode(agent, stdout.chunks(1), &exit), whole, "{case} byte by byte");
        }
    }
}

#[test]
fn a_stream_that_ends_anywhere_is_read_without_a_claim_that_is_not_there() {
    for agent in [&OpenCode as &dyn Agent, &Gemini, &Aider] {
        for Recorded { case, stdout, exit } in recorded(agent.name()) {
            let claims = decode(agent, [stdout.as_slice()], &exit).0.claim.by.is_some();
            let step = stdout.len() / 60 + 1;
            for at in (0..stdout.len()).step_by(step) {
                let (reading, _) = decode(agent, [&stdout[..at]], &exit);
                assert!(reading.claim.by.is_none() || claims, "{case} until {at}");
            }
        }
    }
}

#[test]
fn a_byte_that_went_wrong_anywhere_does_no_harm() {
    for agent in [&OpenCode as &dyn Agent, &Gemini, &Aider] {
        for Recorded { case, stdout, exit } in recorded(agent.name()) {
            let claims = decode(agent, [stdout.as_slice()], &exit).0.claim.by.is_some();
            for at in (0..stdout.len()).step_by(stdout.len() / 60 + 1) {
                let mut garbled = stdout.clone();
                garbled[at] = 0xff;
                let (reading, _) = decode(agent, [garbled.as_slice()], &exit);
                assert!(reading.claim.by.is_none() || claims, "{case} with {at} garbled");
            }
        }
    }
}
