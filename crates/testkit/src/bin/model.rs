//! The scripted model as a program, to try an agent by hand: `model SCRIPT [DIRECTORY [PORT]]`.
//! It prints its address, then each request as a line of JSON, until it is ended.

#![expect(clippy::disallowed_methods, reason = "a program reads its arguments")]
#![expect(clippy::print_stdout, reason = "its output is what it is for")]

use std::{error::Error, fs, thread, time::Duration};

use testkit::model::{KNOWN, Model, Script};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.first() else {
        let known = KNOWN.iter().map(|(usage, what)| format!("  {usage:22} {what}\n"));
        let known: String = known.collect();
        return Err(
            format!("expected `model SCRIPT [DIRECTORY [PORT]]`; a script has\n{known}").into()
        );
    };
    let script = Script::parse(&fs::read_to_string(path)?)?;
    let directory = fs::canonicalize(arguments.get(1).map_or(".", String::as_str))?;
    let port = arguments.get(2).map_or(Ok(0), |port| port.parse())?;
    let model = Model::start_at(port, script, directory)?;
    println!("{}", model.url());
    let mut shown = 0;
    loop {
        let records = model.records();
        for record in &records[shown..] {
            println!("{}", record.json());
        }
        shown = records.len();
        thread::sleep(Duration::from_millis(50));
    }
}
