//! Asks whoever sits at the terminal. The screen shows the question; here the answer is read.

use std::{io, io::IsTerminal, pin::Pin, thread};

use tokio::sync::oneshot;
use windlass::Asker;
use windlass_core::{ask::Choice, text::sanitise};

use crate::{host::printer::Printer, tui::Side};

/// The terminal that windlass was started at.
pub(crate) struct Terminal {
    printer: Printer,
    /// Shows a question that no event tells of.
    show: Show,
}

/// Shows a question on the screen, and says whether it could.
pub(crate) type Show = Box<dyn Fn(&str) -> bool + Send + Sync>;

impl Terminal {
    /// Somebody to ask, if somebody is there.
    pub(crate) fn attended(printer: Printer, show: Show) -> Option<Self> {
        (printer.live && io::stdin().is_terminal()).then_some(Self { printer, show })
    }
}

impl Asker for Terminal {
    fn ask<'a>(
        &'a self,
        _question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>> {
        Box::pin(async move {
            loop {
                let line = line().await?;
                let answer = line.trim().to_lowercase();
                let found = choices.iter().find(|choice| {
                    !answer.is_empty() && word(**choice).starts_with(answer.as_str())
                });
                match found {
                    Some(choice) => return Some(*choice),
                    None => self.printer.warning(&format!("please answer {}", offer(choices))),
                }
            }
        })
    }

    fn ask_first<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>> {
        Box::pin(self.ask_alone(question, choices))
    }
}

impl Terminal {
    /// Shows a question that no screen shows, and hears the answer.
    async fn ask_alone(&self, question: &str, choices: &[Choice]) -> Option<Choice> {
        let text = format!("{}\n{}\n", sanitise::text(question), offer(choices));
        if !(self.show)(&text) {
            self.printer.question(&text);
        }
        self.ask(question, choices).await
    }
}

/// The dashboard beside a loop, and the terminal once the screen is left.
pub(crate) struct Beside {
    side: Side,
    terminal: Terminal,
}

impl Beside {
    /// Somebody at the dashboard, or at the terminal behind it.
    pub(crate) fn new(side: Side, terminal: Terminal) -> Self {
        Self { side, terminal }
    }
}

impl Asker for Beside {
    fn ask<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>> {
        Box::pin(async move {
            // Where the screen is left already, the lines have the question.
            let is_shown = self.side.is_left();
            let chosen = self.side.ask(question, choices).await;
            if chosen.is_some() || self.side.is_over() {
                return chosen;
            }
            if !is_shown {
                self.terminal.printer.hint(&format!("{question} {}", offer(choices)));
            }
            self.terminal.ask(question, choices).await
        })
    }

    fn ask_first<'a>(
        &'a self,
        question: &'a str,
        choices: &'a [Choice],
    ) -> Pin<Box<dyn Future<Output = Option<Choice>> + Send + 'a>> {
        Box::pin(self.terminal.ask_alone(question, choices))
    }
}

/// The choices as they are offered: the first letter is enough.
pub(crate) fn offer(choices: &[Choice]) -> String {
    let shown = |choice: &Choice| match choice {
        Choice::Retry => "[r]etry",
        Choice::Fix => "[f]ix (let the agent fix it)",
        Choice::Skip => "[s]kip",
        Choice::Abort => "[a]bort",
        Choice::Trust => "[t]rust",
    };
    let shown: Vec<_> = choices.iter().map(shown).collect();
    format!("{}: type a letter and press Enter", shown.join(", "))
}

/// The word that an answer is the beginning of.
pub(crate) fn word(choice: Choice) -> &'static str {
    match choice {
        Choice::Retry => "retry",
        Choice::Fix => "fix",
        Choice::Skip => "skip",
        Choice::Abort => "abort",
        Choice::Trust => "trust",
    }
}

/// One line of standard input, read where waiting for it keeps nobody else; `None` at its end.
async fn line() -> Option<String> {
    let (tell, told) = oneshot::channel();
    let reader = thread::Builder::new().name("answer".to_owned()).spawn(move || {
        let mut line = String::new();
        if io::stdin().read_line(&mut line).is_ok_and(|bytes| bytes > 0) {
            // Nobody waits any more where the loop was called off.
            drop(tell.send(line));
        }
    });
    reader.ok()?;
    told.await.ok()
}
