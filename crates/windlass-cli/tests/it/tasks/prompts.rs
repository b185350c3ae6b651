//! What the agent is asked.

use super::{TWO, tasks, works, world_with};
use crate::prompts_of;

#[test]
fn the_prompt_holds_the_file_as_it_is_now() {
    let env = world_with("TASKS.md", TWO);
    let script = format!("{}next\n{}", works("a"), works("b"));
    tasks(&env, "TASKS.md", &script, &[]).run().success();
    let prompts = prompts_of(&env);
    insta::assert_snapshot!(prompts[0], @"
    Work on the tasks in `TASKS.md`. This is the file as it is now:

    <tasks>
    # Plan
    - [ ] write a
    - [ ] write b

    ## Later
    - [ ] write c
    </tasks>

    Pick one task that is open: the one that matters most among those that can be done now. Do it, all of it, and see for yourself that it works. Then mark it as done in `TASKS.md`: turn its `[ ]` into `[x]`. Leave the other tasks as they are, neither marked nor removed: each is for a session of its own. If you find something that is missing from the list, add it as an open task.

    ---
    This is iteration 1 of 20 of a loop that windlass runs.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim. Begin the report with the words of the task that is blocked.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.
    ");
    insta::assert_snapshot!(prompts[1], @"
    Work on the tasks in `TASKS.md`. This is the file as it is now:

    <tasks>
    # Plan
    - [x] write a
    - [ ] write b

    ## Later
    - [ ] write c
    </tasks>

    Pick one task that is open: the one that matters most among those that can be done now. Do it, all of it, and see for yourself that it works. Then mark it as done in `TASKS.md`: turn its `[ ]` into `[x]`. Leave the other tasks as they are, neither marked nor removed: each is for a session of its own. If you find something that is missing from the list, add it as an open task.

    ---
    This is iteration 2 of 20 of a loop that windlass runs. You see no earlier conversation: earlier work is in the files and in the git history. Look at what is there before you go on.
    When all of the work is done, and only then, claim it: print <promise>COMPLETE</promise> on a line of its own, with nothing else on that line.
    Nobody answers questions during the loop: decide what you can decide, and note what you decided. Only if no part of the work can go on, say so with <blocked>what is missing, and who can give it</blocked> in place of a claim. Begin the report with the words of the task that is blocked.
    Wait for background commands, or stop them, before you finish: what still runs then is killed.
    ");
}

#[test]
fn a_prompt_of_the_users_has_the_file_at_its_mark_or_at_its_end() {
    let list = "- [ ] write a";
    let env = world_with("TASKS.md", list);
    let prompt = env.write("PROMPT.md", "\nFrom a file.\n");
    let prompt = prompt.to_str().unwrap();
    for (flag, value, expected) in [
        ("--task-prompt", " Do: %s. Print %%s. ", format!("Do: {list}. Print %s.")),
        ("--task-prompt", "Do it.", format!("Do it.\n\n{list}")),
        ("--task-prompt-file", prompt, format!("From a file.\n\n{list}")),
    ] {
        let args = ["--max-iterations", "1", "--no-context", flag, value];
        tasks(&env, "TASKS.md", "say no", &args).run().code(1);
        assert_eq!(prompts_of(&env), [expected]);
    }
    for args in [["--task-prompt", " "], ["--task-prompt-file", "nope"]] {
        tasks(&env, "TASKS.md", "say no", &args).run().code(2);
    }
}
