//! Hooks as the real Claude Code runs them.

use super::CLAUDE;

pub(in crate::compat) mod scenes {
    //! What holds in a sandbox and without.

    use std::fs;

    use crate::compat::real::{Real, Stage};

    const BLOCK: &str = "say ---LOOP_STATUS---\nsay STATUS: COMPLETE\nsay EXIT_SIGNAL: true\n\
                         say ---END_LOOP_STATUS---";

    /// Settings with a stop hook that leaves a line in the work tree.
    fn leaves(word: &str) -> String {
        let command = format!("echo {word} >> stops.txt");
        format!(
            r#"{{"hooks": {{"Stop": [{{"hooks": [{{"type": "command", "command": "{command}"}}]}}]}}}}"#
        )
    }

    /// The first answer has no status block. The user's own hooks run beside windlass's.
    pub(in crate::compat) fn held_back_once(agent: &'static Real) {
        let script = format!("say All of it is done.\nnext\nsay Here it is.\n{BLOCK}");
        let stage = Stage::new(agent, &script);
        let folder = stage.env.home().join(".claude");
        fs::create_dir_all(&folder).expect("the home is ours");
        fs::write(folder.join("settings.json"), leaves("own")).expect("the home is ours");
        let given = stage.env.root().join("tmp/given.json");
        fs::write(&given, leaves("given")).expect("the folder is ours");
        let given = given.to_str().expect("a path of ours");
        let args = ["--protocol", "status", "--max-iterations", "1", "--", "--settings", given];
        let ran = stage.iterate(&args).run().success();
        let result = ran.json();
        assert_eq!(result["ending"]["by"], "status", "{ran}");
        assert_eq!(result["sessions"], 1, "{ran}");
        let requests = stage.requests();
        assert_eq!(requests.len(), 2, "it is held back once");
        assert!(requests[1].says("no status block that can be read"), "{:?}", requests[1]);
        let stops = stage.env.read("stops.txt");
        let mut stops: Vec<&str> = stops.lines().collect();
        stops.sort_unstable();
        assert_eq!(stops, ["given", "given", "own", "own"], "they run side by side");
        let told = stage.env.sql("select content from messages where type = 'hook'");
        assert!(told.starts_with("Stop: Your last message has no status block"), "{told}");
    }

    /// The context is used up in the fourth answer; the fifth is its summary.
    pub(in crate::compat) fn reminded_after_compaction(agent: &'static Real) {
        let turns = ["a", "b", "c"].map(|name| format!("write {name}.txt x\nnext\n")).concat();
        let script = format!(
            "{turns}write d.txt x\ntokens 99000 10 0\nnext\nsay <summary>Some files.</summary>\n\
             next\nsay All of it is done.\n{BLOCK}"
        );
        let stage = Stage::new(agent, &script);
        let window = "CLAUDE_CODE_AUTO_COMPACT_WINDOW=100000";
        let args = ["--protocol", "status", "--max-iterations", "1", "--env", window];
        let ran = stage.iterate(&args).run().success();
        assert_eq!(ran.json()["ending"]["by"], "status", "{ran}");
        let requests = stage.requests();
        let last = requests.last().expect("there were requests");
        for words in ["Some files.", "Your context was compacted.", "Mend the notes."] {
            assert!(last.says(words), "{words}: {last:?}");
        }
        let told = stage.env.sql("select content from messages where type = 'hook'");
        assert_eq!(
            told, "SessionStart:compact: Your context was compacted. This still holds:\n",
            "{ran}"
        );
    }
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn an_agent_without_a_status_block_is_held_back_once_and_the_users_hooks_run() {
    scenes::held_back_once(&CLAUDE);
}

#[test]
#[ignore = "needs the real program: run `scripts/compat`"]
fn an_agent_is_reminded_after_compaction() {
    scenes::reminded_after_compaction(&CLAUDE);
}
