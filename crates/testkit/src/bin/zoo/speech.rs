//! What a hostile agent says: floods, broken bytes, forged claims, terminal tricks.

use std::{
    env,
    io::{self, Read},
    thread,
    time::Duration,
};

use super::{Args, Behaviour, Done, print, stay, warn};

const CLAIM: &[u8] = b"<promise>COMPLETE</promise>\n";

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "say",
        takes: "TEXT",
        does: "prints a line",
        act: |args| print(format!("{}\n", args.text(0)?).as_bytes()).map(|()| 0),
    },
    Behaviour {
        name: "silent",
        takes: "",
        does: "prints nothing and exits with 0",
        act: |_| Ok(0),
    },
    Behaviour {
        name: "claim",
        takes: "",
        does: "claims to be done",
        act: |_| print(CLAIM).map(|()| 0),
    },
    Behaviour {
        name: "claim-in-stderr",
        takes: "",
        does: "claims on standard error only",
        act: |_| warn(CLAIM).map(|()| 0),
    },
    Behaviour {
        name: "claim-in-a-sentence",
        takes: "",
        does: "mentions the claim, with words after it",
        act: |_| print(b"I will print <promise>COMPLETE</promise> once it is done.\n").map(|()| 0),
    },
    Behaviour {
        name: "claim-then-crash",
        takes: "",
        does: "claims, then exits with 1",
        act: |_| print(CLAIM).map(|()| 1),
    },
    Behaviour {
        name: "claim-then-hang",
        takes: "",
        does: "claims, then stays",
        act: |_| {
            print(CLAIM)?;
            stay()
        },
    },
    Behaviour {
        name: "claim-without-newline",
        takes: "",
        does: "claims at the end of a line that never ends",
        act: |_| print(CLAIM.trim_ascii_end()).map(|()| 0),
    },
    Behaviour {
        name: "claim-split",
        takes: "",
        does: "claims one byte at a time",
        act: |_| slowly(CLAIM),
    },
    Behaviour {
        name: "claim-after-flood",
        takes: "BYTES",
        does: "claims at the end of a flood",
        act: |args| {
            lines(args.number(0, 1 << 20), print)?;
            print(CLAIM).map(|()| 0)
        },
    },
    Behaviour {
        name: "echo-prompt",
        takes: "",
        does: "prints its last argument and its standard input",
        act: |args| {
            print(args.0.last().map_or("", String::as_str).as_bytes())?;
            print(b"\n")?;
            read_stdin(args)
        },
    },
    Behaviour {
        name: "echo-args",
        takes: "",
        does: "prints each argument as a JSON line",
        act: |args| {
            let list =
                args.0.iter().map(|arg| serde_json::Value::from(arg.as_str()).to_string() + "\n");
            print(list.collect::<String>().as_bytes()).map(|()| 0)
        },
    },
    Behaviour {
        name: "echo-env",
        takes: "",
        does: "prints its environment, sorted",
        act: |_| {
            let mut list: Vec<_> = env::vars_os()
                .map(|(name, value)| format!("{}={}\n", name.display(), value.display()))
                .collect();
            list.sort();
            print(list.concat().as_bytes()).map(|()| 0)
        },
    },
    Behaviour {
        name: "echo-cwd",
        takes: "",
        does: "prints where it stands",
        act: |_| print(format!("{}\n", env::current_dir()?.display()).as_bytes()).map(|()| 0),
    },
    Behaviour {
        name: "read-stdin",
        takes: "",
        does: "waits for the end of its standard input and prints it",
        act: read_stdin,
    },
    Behaviour {
        name: "flood",
        takes: "BYTES",
        does: "prints lines at full speed",
        act: |args| lines(args.number(0, 1 << 30), print).map(|()| 0),
    },
    Behaviour {
        name: "stderr-flood",
        takes: "BYTES",
        does: "the same to standard error",
        act: |args| lines(args.number(0, 1 << 30), warn).map(|()| 0),
    },
    Behaviour {
        name: "both-flood",
        takes: "BYTES",
        does: "floods both streams in turns",
        act: |args| {
            lines(args.number(0, 1 << 30), |block| {
                print(block)?;
                warn(block)
            })
            .map(|()| 0)
        },
    },
    Behaviour {
        name: "one-line",
        takes: "BYTES",
        does: "prints one line of that length",
        act: |args| {
            long(args.number(0, 1 << 30))?;
            print(b"\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "no-newline",
        takes: "BYTES",
        does: "prints so many bytes without any newline",
        act: |args| long(args.number(0, 1 << 16)).map(|()| 0),
    },
    Behaviour {
        name: "half-line",
        takes: "",
        does: "prints half a line, and stays",
        act: |_| {
            print(b"I was about to")?;
            stay()
        },
    },
    Behaviour {
        name: "many-lines",
        takes: "N",
        does: "prints numbered lines",
        act: |args| {
            let text: String =
                (1..=args.number(0, 1000_u32)).map(|n| format!("line {n}\n")).collect();
            print(text.as_bytes()).map(|()| 0)
        },
    },
    Behaviour {
        name: "slow-lines",
        takes: "N MS",
        does: "prints N lines, MS milliseconds apart",
        act: |args| {
            for n in 1..=args.number(0, 10_u32) {
                print(format!("line {n}\n").as_bytes())?;
                thread::sleep(Duration::from_millis(args.number(1, 100)));
            }
            Ok(0)
        },
    },
    Behaviour {
        name: "bad-utf8",
        takes: "",
        does: "prints bytes that are no text",
        act: |_| print(b"before \xff\xfe \xc3( \xf0\x9f\x92 after\n\x80\x81\n").map(|()| 0),
    },
    Behaviour {
        name: "nul-bytes",
        takes: "",
        does: "prints NULs inside lines",
        act: |_| print(b"a\0b\n\0\0\nc\n").map(|()| 0),
    },
    Behaviour {
        name: "crlf",
        takes: "",
        does: "ends lines as Windows does, then claims",
        act: |_| print(b"one\r\ntwo\r\n<promise>COMPLETE</promise>\r\n").map(|()| 0),
    },
    Behaviour {
        name: "split-code-points",
        takes: "",
        does: "prints multi-byte characters a byte at a time",
        act: |_| slowly("grüße → 🦦 née\n".as_bytes()),
    },
    Behaviour {
        name: "ansi",
        takes: "",
        does: "colours, moves the cursor, clears the screen",
        act: |_| {
            print(b"\x1b[31mred\x1b[0m \x1b[2J\x1b[H\x1b[5Aup \x1b]0;title\x07 \x1b[?25l\x9b31mC1 \x08\x08\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "ansi-split",
        takes: "",
        does: "the same, one byte at a time",
        act: |_| slowly(b"\x1b[31mred\x1b[0m \x1b]0;title\x1b\\ after\n"),
    },
    Behaviour {
        name: "osc52",
        takes: "",
        does: "writes to the clipboard and hides a link",
        act: |_| {
            print(b"\x1b]52;c;cm0gLXJmIH4=\x07 \x1b]8;;file:///etc/passwd\x1b\\click\x1b]8;;\x1b\\ \x1bPdcs\x1b\\\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "unclosed-osc",
        takes: "",
        does: "opens an OSC that never ends, and goes on talking",
        act: |_| {
            print(b"\x1b]0;never closed\nstill talking\n<promise>COMPLETE</promise>\n").map(|()| 0)
        },
    },
    Behaviour {
        name: "bidi",
        takes: "",
        does: "turns the direction of text around",
        act: |_| {
            print("safe \u{202e}txt.exe\u{202c} \u{2066}isolate\u{2069} \u{200f}mark\n".as_bytes())
                .map(|()| 0)
        },
    },
    Behaviour {
        name: "status-block",
        takes: "STATUS EXIT_SIGNAL",
        does: "ends with a status block",
        act: |args| {
            let (status, exit) = (args.text(0)?, args.text(1)?);
            let block = format!(
                "---LOOP_STATUS---\nSTATUS: {status}\nEXIT_SIGNAL: {exit}\n---END_LOOP_STATUS---\n"
            );
            print(block.as_bytes()).map(|()| 0)
        },
    },
];

fn read_stdin(_args: &Args) -> Done {
    let mut input = Vec::new();
    io::stdin().read_to_end(&mut input)?;
    print(&input).map(|()| 0)
}

/// Writes byte by byte, so that every read of the other side may be cut anywhere.
fn slowly(bytes: &[u8]) -> Done {
    for byte in bytes {
        print(&[*byte])?;
        thread::sleep(Duration::from_millis(2));
    }
    Ok(0)
}

/// Writes so many bytes, in lines of 80.
fn lines(
    mut left: usize,
    write: impl Fn(&[u8]) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let block = [&[b'x'; 79][..], b"\n"].concat().repeat(800);
    while left > 0 {
        let next = left.min(block.len());
        write(&block[..next])?;
        left -= next;
    }
    Ok(())
}

/// Writes so many bytes without a newline.
fn long(mut left: usize) -> Result<(), Box<dyn std::error::Error>> {
    let block = [b'a'; 1 << 16];
    while left > 0 {
        let next = left.min(block.len());
        print(&block[..next])?;
        left -= next;
    }
    Ok(())
}
