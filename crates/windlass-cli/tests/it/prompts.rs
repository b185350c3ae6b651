//! How a prompt reaches a command, and what else it finds: its environment, its standard input.

use std::{fs, os::unix::fs::PermissionsExt};

use crate::{shell, world};

const PROMPT: &str = "Mend 'it' \"now\" $HOME `x` *\nand \\n that";

#[test]
fn by_default_the_prompt_is_the_last_argument() {
    let env = world();
    let agent = env.agent_sh("printf '%s|' \"$@\" > said");
    let command = format!("{} --print 'two words'", agent.display());
    let call = ["iterate", "-p", PROMPT, "-c", &command, "--max-iterations", "1"];
    env.windlass(call).code(1);
    assert_eq!(env.read("said"), format!("--print|two words|{PROMPT}|"));
}

#[test]
fn a_prompt_can_go_by_stdin_by_a_variable_or_by_a_file() {
    let body = "cat > stdin; printf %s \"$PROMPT\" > variable; echo $# > count; \
                test -z \"$1\" || { cat \"$1\" > file; stat -c '%a %n' \"$1\" > about; }";
    for (mode, stdin, variable, file) in
        [("stdin", PROMPT, "", None), ("env", "", PROMPT, None), ("file", "", "", Some(PROMPT))]
    {
        let env = world();
        let command = format!("{} {{prompt_file}}", env.agent_sh(body).display());
        let command = if mode == "file" { &command } else { command.split(' ').next().unwrap() };
        let call = ["iterate", "-p", PROMPT, "-c", command, "--prompt-mode", mode];
        env.command(call).arg("--max-iterations").arg("1").run().code(1);
        assert_eq!(env.read("stdin"), stdin, "{mode}");
        assert_eq!(env.read("variable"), variable, "{mode}");
        if let Some(file) = file {
            assert_eq!(env.read("file"), file);
            let about = env.read("about");
            let (rights, path) = about.trim().split_once(' ').unwrap();
            assert_eq!(rights, "600");
            assert!(!fs::exists(path).unwrap(), "{path} is gone afterwards");
            assert!(!path.starts_with(env.work().to_str().unwrap()), "{path}");
        } else {
            assert_eq!(env.read("count"), "0\n", "{mode}");
        }
    }
}

#[test]
fn a_command_for_a_file_must_say_where_its_path_goes() {
    let env = world();
    let call = ["iterate", "-p", "x", "-c", "true", "--prompt-mode", "file"];
    insta::assert_snapshot!(env.windlass(call).snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: with the prompt mode `file` the command needs `{prompt_file}` where the path goes
    ");
}

#[test]
fn a_prompt_too_long_for_an_argument_is_refused_with_a_way_out() {
    let env = world();
    let file = env.write("PROMPT.md", "word ".repeat(40_000));
    let call = ["iterate", "-c", "true", "--max-iterations", "1", "--prompt-file"];
    insta::assert_snapshot!(env.command(call).arg(&file).run().snapshot(), @"
    exit: 2
    --- stdout
    --- stderr
    error: the prompt has 199999 bytes, and the agent takes 131071 at the most this way

    hint: hand it over in another way: `--prompt-mode stdin` or `--prompt-mode file`
    ");
    assert_eq!(env.windlass(["list", "--json"]).success().stdout.trim(), "[]");
    let agent = env.agent_sh("wc -c > said");
    let call = ["iterate", "--prompt-mode", "stdin", "--max-iterations", "1", "-c"];
    env.command(call).arg(agent).arg("--prompt-file").arg(file).run().code(1);
    assert_eq!(env.read("said").trim(), "199999");
}

#[test]
fn what_windlass_composes_is_cut_to_what_fits_and_the_users_words_never() {
    let env = world();
    let file = env.write("PROMPT.md", "word ".repeat(26_000));
    let agent =
        env.agent_sh("printf %s \"$1\" | wc -c >> said; echo '<promise>COMPLETE</promise>'");
    let call = ["iterate", "--max-iterations", "2", "--check", "seq 9999; false", "-c"];
    env.command(call).arg(agent).arg("--prompt-file").arg(file).run().code(1);
    let sizes: Vec<usize> =
        env.read("said").lines().map(|line| line.trim().parse().unwrap()).collect();
    assert_eq!(sizes[0], 129_999);
    assert!((129_999..131_072).contains(&sizes[1]), "{sizes:?}");
}

#[test]
fn secrets_of_the_host_reach_neither_the_agent_nor_the_checks() {
    let env = world();
    let call = shell(
        &env,
        "env > agent.env; echo '<promise>COMPLETE</promise>'",
        &["--check", "env > check.env", "--env", "ADDED=a=b", "--pass-env", "WANTED"],
    );
    let secrets = ["GITHUB_TOKEN", "GH_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "MY_OWN"];
    let call = secrets.iter().fold(call, |call, name| call.env(name, "secret"));
    let call = call.env("WANTED", "wanted").env("ANTHROPIC_API_KEY", "key").env("LC_ALL", "C");
    call.run().success();
    for file in ["agent.env", "check.env"] {
        let text = env.read(file);
        let has = |line: &str| text.lines().any(|other| other == line);
        for name in secrets {
            assert!(!text.contains(&format!("{name}=")), "{file} has {name}:\n{text}");
        }
        assert!(!text.contains("secret"), "{file}:\n{text}");
        assert!(has("ADDED=a=b") && has("WANTED=wanted") && has("LC_ALL=C"), "{file}:\n{text}");
        assert!(has("ANTHROPIC_API_KEY=key"), "{file}:\n{text}");
        let id = env.sql("SELECT id FROM loops");
        assert!(has(&format!("WINDLASS_LOOP={}", id.trim())), "{file}:\n{text}");
        assert!(!text.contains("WINDLASS_HOME="), "{file}:\n{text}");
    }
}

#[test]
fn standard_input_is_closed_and_there_is_no_terminal() {
    let env = world();
    let body = "cat > stdin; test -t 1 && touch terminal; (: > /dev/tty) 2>/dev/null && touch terminal; true";
    shell(&env, body, &["--max-iterations", "1"]).stdin("words of the user").run().code(1);
    assert_eq!(env.read("stdin"), "");
    assert!(!env.work().join("terminal").exists());
}

#[test]
fn an_agent_runs_in_the_loops_directory() {
    let env = world();
    env.write("sub/dir/x", "");
    for (args, place) in [(vec!["-C", "sub"], "sub"), (vec!["--directory", "sub/dir"], "sub/dir")] {
        let call = shell(&env, "pwd", &["--max-iterations", "1", "--json"]);
        let result = args.iter().fold(call, |call, arg| call.arg(arg)).run().code(1).json();
        let there = env.work().join(place).display().to_string();
        assert_eq!(result["final_text"], there.as_str());
        assert_eq!(result["directory"], there.as_str());
    }
}

#[test]
fn raw_output_is_kept_where_only_the_user_can_read_it() {
    let env = world();
    shell(&env, "echo out; echo err >&2", &["--max-iterations", "1"]).run().code(1);
    let mut folders = vec![env.windlass_home()];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        let mode = fs::metadata(&folder).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", folder.display());
        for entry in fs::read_dir(&folder).unwrap().flatten() {
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            // In those two it is git that makes directories, below one that only the user may enter.
            if kind.is_dir() && (path.ends_with("trees") || path.ends_with("evidence")) {
                let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
                assert_eq!(mode, 0o700, "{}", path.display());
            } else if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                files += 1;
                let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
                assert_eq!(mode, 0o600, "{}", path.display());
            }
        }
    }
    assert!(files > 2);
}
