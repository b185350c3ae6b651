//! What it costs to read the JSON stream of an agent: 100 MB as Claude Code prints them, most of it
//! files that tools read, and the edits that it makes.

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

use serde_json::{Value, json};

use crate::{output::compare_agent, world::World};

const SIZE: usize = 100_000_000;

/// 100 MB of a Claude stream, against `agent | cat > file`.
pub(crate) fn stream(world: &World) {
    let path = world.path("stream.jsonl");
    let size = write_stream(&path);
    let config = world.path("config/windlass");
    std::fs::create_dir_all(&config).unwrap();
    let agent = format!("cat '{}'", path.display());
    let table = format!(
        "[agents.stream]\ncommand = ['sh', '{}']\nprompt = 'stdin'\ndecoder = 'claude'\n",
        world.path("agent.sh").display()
    );
    std::fs::write(config.join("config.toml"), table).unwrap();
    let call = ["iterate", "-p", "go", "--agent", "stream", "--max-iterations", "1"];
    compare_agent(world, "100 MB of a Claude stream", &agent, &call, size, ("≥ 0.67", "< 40 MiB"));
}

/// Writes turns until the stream is long enough; gives its size.
fn write_stream(path: &Path) -> u64 {
    let mut file = BufWriter::new(File::create(path).unwrap());
    let (mut written, mut turn) = (0, 0);
    let mut line = |value: Value| {
        let line = value.to_string();
        file.write_all(line.as_bytes()).unwrap();
        file.write_all(b"\n").unwrap();
        line.len() + 1
    };
    written += line(json!({"type": "system", "subtype": "init", "session_id": "s", "model": "m"}));
    while written < SIZE {
        turn += 1;
        written += turn_of(turn).into_iter().map(&mut line).sum::<usize>();
    }
    written += line(json!({"type": "result", "subtype": "success", "is_error": false,
        "result": "All done.\n<promise>COMPLETE</promise>", "total_cost_usd": 1.5,
        "usage": {"input_tokens": 1000, "output_tokens": 100}}));
    // So that nobody is still writing it to the disk while it is read.
    file.into_inner().unwrap().sync_all().unwrap();
    written as u64
}

/// Thoughts, a word, a file that is read, an edit, and a test run.
fn turn_of(turn: usize) -> Vec<Value> {
    let code = |lines: usize| {
        (0..lines)
            .map(|at| format!("{at:>6}\t    let value_{at} = read(\"line {turn}\")?; // ä\n"))
            .collect::<String>()
    };
    let says = |part: Value| {
        json!({"type": "assistant", "message": {"model": "m", "id": "msg_01", "type": "message",
            "role": "assistant", "content": [part], "stop_reason": null,
            "usage": {"input_tokens": 4, "output_tokens": 1}},
            "parent_tool_use_id": null, "session_id": "s", "uuid": "u"})
    };
    let answers = |text: &str, more: Value| {
        json!({"type": "user", "message": {"role": "user", "content": [{"tool_use_id": "t",
            "type": "tool_result", "content": text}]}, "parent_tool_use_id": null,
            "session_id": "s", "uuid": "u", "tool_use_result": more})
    };
    let (file, test) = (code(200 + turn % 7 * 60), code(30));
    vec![
        says(json!({"type": "thinking", "thinking": code(8), "signature": "x".repeat(900)})),
        says(json!({"type": "text", "text": format!("I look at file {turn} first.")})),
        says(json!({"type": "tool_use", "id": "t", "name": "Read",
            "input": {"file_path": format!("/w/src/{turn}.rs")}})),
        answers(&file, json!({"type": "text", "file": {"filePath": "/w/a.rs", "content": file}})),
        says(
            json!({"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "/w/a.rs",
            "old_string": code(12), "new_string": code(14)}}),
        ),
        answers(
            "The file has been updated.",
            json!({"filePath": "/w/a.rs", "oldString": code(12),
            "newString": code(14), "originalFile": file, "structuredPatch": []}),
        ),
        says(json!({"type": "tool_use", "id": "t", "name": "Bash",
            "input": {"command": "cargo test", "description": "Run the tests"}})),
        answers(&test, json!({"stdout": test, "stderr": "", "interrupted": false})),
    ]
}
