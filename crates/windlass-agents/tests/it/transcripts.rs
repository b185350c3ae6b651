//! Recorded sessions of the real agents: each must come to the right outcome, words, usage and
//! claim, wherever the chunks of its output end.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use windlass_agents::{Agent, Ask, Claude, Codex, Reading, Wishes};
use windlass_core::{
    options::Claiming,
    outcome::Overage,
    process::{EndedBy, Exit},
    said::Said,
};
use windlass_system::process::{Block, Lines};

#[test]
fn claude_is_read_right() {
    insta::assert_snapshot!("claude", table(&Claude));
}

#[test]
fn codex_is_read_right() {
    insta::assert_snapshot!("codex", table(&Codex));
}

#[test]
fn claude_is_read_the_same_in_any_chunks() {
    chunks_do_not_matter(&Claude);
}

#[test]
fn codex_is_read_the_same_in_any_chunks() {
    chunks_do_not_matter(&Codex);
}

/// One recorded session.
struct Transcript {
    name: String,
    stdout: Vec<u8>,
    exit: Exit,
}

/// What the recording knows besides the output.
#[derive(serde::Deserialize)]
struct Meta {
    /// Negative for a signal.
    exit_code: i32,
    timed_out: bool,
}

/// The recorded sessions of an agent, by name.
fn transcripts(agent: &dyn Agent) -> Vec<Transcript> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(agent.name());
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "stdout"))
        .collect();
    paths.sort();
    assert!(paths.len() > 10, "the transcripts of {} were not found", agent.name());
    paths.iter().map(|path| transcript(path)).collect()
}

fn transcript(path: &Path) -> Transcript {
    let meta = fs::read_to_string(path.with_extension("meta.json")).unwrap();
    let meta: Meta = serde_json::from_str(&meta).unwrap();
    let is_signal = meta.exit_code < 0;
    Transcript {
        name: path.file_stem().unwrap().to_str().unwrap().to_owned(),
        stdout: fs::read(path).unwrap(),
        exit: Exit {
            code: (!is_signal).then_some(meta.exit_code),
            signal: is_signal.then_some(-meta.exit_code),
            ended_by: meta.timed_out.then_some(EndedBy::TotalLimit),
            leftovers: Vec::new(),
            survivors: Vec::new(),
            leaky: false,
            duration: Duration::ZERO,
        },
    }
}

/// Reads a session whose output comes in these chunks.
fn read<'a>(
    agent: &dyn Agent,
    exit: &Exit,
    chunks: impl Iterator<Item = &'a [u8]>,
) -> (Reading, Vec<Said>) {
    let mut decoder = agent.decoder(&Ask {
        role: "agent",
        iteration: 1,
        prompt: "Do it, then say <promise>COMPLETE</promise>",
        directory: Path::new("$REPO"),
        env: &BTreeMap::new(),
        claiming: &Claiming::default(),
        wishes: &Wishes::default(),
        is_root: false,
        prompt_file: Path::new("/"),
        hooks_file: None,
    });
    decoder.started(&"2026-11-15T20:00:00+00:00[UTC]".parse().unwrap());
    let mut lines = Lines::with_limit(decoder.longest_line());
    let mut said = Vec::new();
    for chunk in chunks {
        lines.push_blocks(chunk, |block| match block {
            Block::Line(line) => decoder.line(line.bytes, line.cut, &mut said),
            Block::Lines(lines) => decoder.lines(lines, &mut said),
        });
    }
    lines.finish(|line| decoder.line(line.bytes, line.cut, &mut said));
    let reading = decoder.finish(exit, &mut said);
    (reading, said)
}

/// Cuts the output of every session at every byte, into pieces as they come from pipes, and in two
/// at many places.
fn chunks_do_not_matter(agent: &dyn Agent) {
    for transcript in transcripts(agent) {
        let Transcript { name, stdout, exit } = transcript;
        let whole = read(agent, &exit, [stdout.as_slice()].into_iter());
        for size in [1, 7, 1000, 4096] {
            assert_eq!(read(agent, &exit, stdout.chunks(size)), whole, "{name} by {size}");
        }
        for at in (0..stdout.len()).step_by(61) {
            let (before, after) = stdout.split_at(at);
            let halves = read(agent, &exit, [before, after].into_iter());
            assert_eq!(halves, whole, "{name} cut at {at}");
        }
    }
}

/// What each session was read as.
fn table(agent: &dyn Agent) -> String {
    let mut table = String::new();
    for Transcript { name, stdout, exit } in transcripts(agent) {
        let (reading, said) = read(agent, &exit, [stdout.as_slice()].into_iter());
        let Reading {
            outcome,
            lost_background,
            overage,
            final_text,
            claim,
            problem,
            usage,
            model,
            tools,
            denied,
            denied_tools,
            session_id,
        } = reading;
        let end = match exit {
            Exit { ended_by: Some(_), .. } => "timed out".to_owned(),
            Exit { signal: Some(signal), .. } => format!("signal {signal}"),
            Exit { code, .. } => format!("exit {}", code.unwrap_or_default()),
        };
        let outcome = serde_json::to_string(&outcome).unwrap();
        writeln!(table, "{name} ({end}): {outcome}").unwrap();
        if let Some(by) = claim.by {
            writeln!(table, "  claims by {by:?}: {}", claim.text.unwrap_or_default()).unwrap();
        }
        if !lost_background.is_empty() {
            writeln!(table, "  lost in the background: {}", lost_background.join(", ")).unwrap();
        }
        if let Some(Overage { until }) = overage {
            let until = until.map(|until| format!(" until {until}")).unwrap_or_default();
            writeln!(table, "  paid overage{until}").unwrap();
        }
        let cost = usage.cost_usd.map(|cost| format!(", ${cost:.4}")).unwrap_or_default();
        let model = model.map(|model| format!(", {model}")).unwrap_or_default();
        let (input, output) = (usage.input_tokens, usage.output_tokens);
        let denied = match (denied, denied_tools.join(", ")) {
            (0, _) => String::new(),
            (denied, names) if names.is_empty() => format!(", {denied} denied"),
            (denied, names) => format!(", {denied} denied ({names})"),
        };
        let id = if session_id.is_some() { "" } else { ", no session id" };
        writeln!(table, "  {input} in, {output} out{cost}{model}, {tools} tools{denied}{id}")
            .unwrap();
        writeln!(table, "  final: {}", short(&final_text)).unwrap();
        if let Some(problem) = problem {
            writeln!(table, "  problem: {}", short(&problem)).unwrap();
        }
        let many = said.len();
        for (at, said) in said.iter().enumerate() {
            if at < 5 || at + 4 > many {
                let failed = matches!(
                    said,
                    Said::ToolResult { failed: true, .. } | Said::Hook { failed: true, .. }
                );
                let mark = if failed { " (failed)" } else { "" };
                writeln!(table, "  - {}{mark}: {}", said.word(), short(&said.content())).unwrap();
            }
        }
    }
    table
}

fn short(text: &str) -> String {
    let text = text.replace('\n', "⏎");
    match text.char_indices().nth(90) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}
