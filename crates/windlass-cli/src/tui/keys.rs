//! What each key does: it changes the state, or asks for an act that needs more than the state.

use windlass_core::{ask::Choice, ids::LoopId};

use super::{
    dashboard::{Dashboard, Focus, Over, Question},
    key::Key,
    pane::Pane,
    search::Needle,
    stream::Page,
};
use crate::report::{asker, ending::State};

/// What a key asks for that needs the store, a process or the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Leave the screen; with `--tui` the loop goes on.
    Leave,
    /// Stop this process until it is waken.
    Suspend,
    /// Draw everything anew.
    Redraw,
    /// Look at another loop.
    Open(LoopId),
    /// Read a page of the log.
    Read(Page),
    /// Make the text of the pane.
    Show,
    /// Search, back or on.
    Find { back: bool },
    /// Call the loop off.
    Cancel { after_iteration: bool },
    /// End the loop of this process, as Ctrl-C does.
    Interrupt,
    /// Answer what the loop of this process asks.
    Answer(Choice),
    /// Take the loop up again with that command.
    Resume(String),
    /// Accept its work.
    Accept,
    /// Close its circuit.
    Reset,
}

impl Dashboard {
    /// Takes a key.
    pub(crate) fn key(&mut self, key: Key) -> Option<Act> {
        self.notice = None;
        match key {
            Key::Interrupt if self.own.is_some() => return Some(Act::Interrupt),
            Key::Interrupt => return Some(Act::Leave),
            Key::Suspend => return Some(Act::Suspend),
            Key::Redraw => return Some(Act::Redraw),
            _ => {}
        }
        match std::mem::replace(&mut self.over, Over::Nothing) {
            Over::Help => None,
            Over::Search(words) => self.typed(words, key),
            Over::Question(question) => self.answered(question, key),
            Over::Nothing => self.anywhere(key),
        }
    }

    fn typed(&mut self, mut words: String, key: Key) -> Option<Act> {
        match key {
            Key::Escape => return None,
            Key::Enter => {
                self.needle = Needle::new(&words).or(self.needle.take());
                if let Some(opened) = &mut self.opened {
                    opened.stream.unmark();
                    opened.sheet.unmark();
                }
                return self.find(false);
            }
            Key::Backspace => {
                words.pop();
            }
            Key::Letter(letter) => words.push(letter),
            _ => {}
        }
        self.over = Over::Search(words);
        None
    }

    fn answered(&mut self, question: Question, key: Key) -> Option<Act> {
        let Key::Letter(answer) = key else {
            // Only a clear word counts; anything but Escape leaves the question where it is.
            if key != Key::Escape {
                self.over = Over::Question(question);
            }
            return None;
        };
        match (question, answer) {
            (Question::Leave, 'l') => Some(Act::Leave),
            (Question::Leave, 'c') => Some(Act::Interrupt),
            (Question::Cancel, 'y') if self.is_own() => Some(Act::Interrupt),
            (Question::Cancel, 'y') => Some(Act::Cancel { after_iteration: false }),
            (Question::CancelAfterIteration, 'y') => Some(Act::Cancel { after_iteration: true }),
            (Question::Resume(command), 'y') => Some(Act::Resume(command)),
            (Question::Accept, 'y') => Some(Act::Accept),
            (Question::Reset, 'y') => Some(Act::Reset),
            (Question::Choose { .. }, 'q') => {
                self.over = Over::Question(Question::Leave);
                None
            }
            (Question::Choose { words, choices }, letter) => {
                let is_it = |choice: &&Choice| asker::word(**choice).starts_with(letter);
                let chosen = choices.iter().find(is_it).copied();
                if chosen.is_none() {
                    self.over = Over::Question(Question::Choose { words, choices });
                }
                chosen.map(Act::Answer)
            }
            (_, 'n' | 'q') => None,
            (question, _) => {
                self.over = Over::Question(question);
                None
            }
        }
    }

    fn anywhere(&mut self, key: Key) -> Option<Act> {
        match key {
            Key::Letter('q') if self.own.is_some() => self.over = Over::Question(Question::Leave),
            Key::Letter('q') => return Some(Act::Leave),
            Key::Letter('?') => self.over = Over::Help,
            Key::Letter('w') => {
                self.wide = !self.wide;
                self.focus = Focus::Pane;
            }
            Key::Letter('/') => self.over = Over::Search(String::new()),
            Key::Letter('n') => return self.find(false),
            Key::Letter('N') => return self.find(true),
            Key::Letter('c') => self.ask_to_cancel(Question::Cancel),
            Key::Letter('C') => self.ask_to_cancel(Question::CancelAfterIteration),
            Key::Letter('r') => self.ask_to_resume(),
            Key::Letter('R') => self.ask_to_reset(),
            Key::Letter('A') => self.ask_to_accept(),
            Key::Tab => return self.show(self.pane.next(1)),
            Key::BackTab => return self.show(self.pane.next(Pane::ALL.len() - 1)),
            Key::Letter(digit @ '1'..='6') => {
                let number = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
                return self.show(Pane::ALL[number.unwrap_or(1) - 1]);
            }
            Key::Letter('f') => return self.follow(),
            Key::Letter('[') => return self.step(-1),
            Key::Letter(']') => return self.step(1),
            Key::Letter('a') if self.pane == Pane::Diff => {
                self.opened.as_mut()?.chosen = None;
                return Some(Act::Show);
            }
            key if self.focus == Focus::Loops => return self.in_list(key),
            key => return self.in_pane(key),
        }
        None
    }

    fn in_list(&mut self, key: Key) -> Option<Act> {
        let last = self.loops.len().checked_sub(1)?;
        let rows = usize::from(self.size.height / 2);
        let cursor = match key {
            Key::Up | Key::Letter('k') => self.cursor.saturating_sub(1),
            Key::Down | Key::Letter('j') => self.cursor + 1,
            Key::PageUp => self.cursor.saturating_sub(rows),
            Key::PageDown | Key::Letter(' ') => self.cursor + rows,
            Key::Home | Key::Letter('g') => 0,
            Key::End | Key::Letter('G') => last,
            Key::Enter | Key::Right | Key::Letter('l') => {
                self.focus = Focus::Pane;
                return None;
            }
            _ => return None,
        };
        let moved = cursor.min(last) != self.cursor;
        self.cursor = cursor.min(last);
        moved.then(|| Act::Open(self.loops[self.cursor].record.id.clone()))
    }

    fn in_pane(&mut self, key: Key) -> Option<Act> {
        let page = isize::try_from(self.size.height / 2).unwrap_or(1);
        match key {
            Key::Up | Key::Letter('k') => self.scroll(-1),
            Key::Down | Key::Letter('j') => self.scroll(1),
            Key::PageUp | Key::Letter('b') => self.scroll(-page),
            Key::PageDown | Key::Letter(' ') => self.scroll(page),
            Key::Home | Key::Letter('g') => self.go_to_start(),
            Key::End | Key::Letter('G') => self.go_to_end(),
            Key::Enter if self.pane == Pane::Iterations => self.show(Pane::Diff),
            Key::Escape if self.finding.is_some() => {
                self.finding = None;
                None
            }
            Key::Escape | Key::Left | Key::Letter('h') => {
                self.wide = false;
                self.focus = Focus::Loops;
                None
            }
            _ => None,
        }
    }

    fn scroll(&mut self, by: isize) -> Option<Act> {
        let pane = self.pane;
        let opened = self.opened.as_mut()?;
        if pane == Pane::Log {
            return opened.stream.scroll(by).map(Act::Read);
        }
        opened.sheet.scroll(by);
        if pane == Pane::Iterations {
            opened.choose_listed();
        }
        None
    }

    fn go_to_start(&mut self) -> Option<Act> {
        let opened = self.opened.as_mut()?;
        if self.pane == Pane::Log {
            return Some(Act::Read(Page::First));
        }
        opened.sheet.go_to_top();
        if self.pane == Pane::Iterations {
            opened.choose_listed();
        }
        None
    }

    fn go_to_end(&mut self) -> Option<Act> {
        if self.pane == Pane::Log {
            return Some(Act::Read(Page::Last));
        }
        let opened = self.opened.as_mut()?;
        opened.sheet.go_to_end();
        if self.pane == Pane::Iterations {
            opened.choose_listed();
        }
        None
    }

    fn follow(&mut self) -> Option<Act> {
        let stream = &mut self.opened.as_mut()?.stream;
        if self.pane == Pane::Log && stream.follows {
            stream.follows = false;
            return None;
        }
        self.pane = Pane::Log;
        Some(Act::Read(Page::Last))
    }

    fn show(&mut self, pane: Pane) -> Option<Act> {
        self.pane = pane;
        self.finding = None;
        if let Some(opened) = &mut self.opened {
            opened.sheet.go_to_top();
        }
        Some(Act::Show)
    }

    fn step(&mut self, by: i64) -> Option<Act> {
        self.opened.as_mut()?.step(by);
        Some(Act::Show)
    }

    /// In the log the next one is further back, for it is read from its end.
    fn find(&mut self, other_way: bool) -> Option<Act> {
        self.needle.as_ref()?;
        Some(Act::Find { back: (self.pane == Pane::Log) != other_way })
    }

    fn ask_to_cancel(&mut self, question: Question) {
        let Some(opened) = self.target() else { return };
        match opened.standing.state {
            State::Running | State::Interrupted => self.over = Over::Question(question),
            State::Ended(_) | State::Other(_) => {
                self.notice = Some(format!("{} has ended", opened.standing.name));
            }
        }
    }

    fn ask_to_resume(&mut self) {
        let Some(opened) = self.target() else { return };
        let name = &opened.standing.name;
        let mut commands = opened.standing.next().into_iter();
        match commands.find(|command| command.starts_with("windlass resume ")) {
            Some(command) => self.over = Over::Question(Question::Resume(command)),
            None if opened.standing.state == State::Running => {
                self.notice = Some(format!("{name} is running"));
            }
            None => self.notice = Some(format!("{name} is over: there is nothing to go on with")),
        }
    }

    fn ask_to_accept(&mut self) {
        let Some(opened) = self.target() else { return };
        let name = &opened.standing.name;
        match &opened.standing.state {
            State::Running => self.notice = Some(format!("{name} is running")),
            State::Ended(ending) if ending.is_success() => {
                self.notice = Some(format!("{name} is done: there is nothing to accept"));
            }
            State::Ended(_) | State::Interrupted | State::Other(_) => {
                self.over = Over::Question(Question::Accept);
            }
        }
    }

    fn ask_to_reset(&mut self) {
        let Some(opened) = self.target() else { return };
        let name = &opened.standing.name;
        if opened.standing.state == State::Running {
            self.notice =
                Some(format!("{name} is running: its circuit can be closed when it is not"));
        } else if opened.record.circuit == "closed" {
            self.notice = Some(format!("the circuit of {name} is closed"));
        } else {
            self.over = Over::Question(Question::Reset);
        }
    }
}

#[cfg(test)]
mod tests;
