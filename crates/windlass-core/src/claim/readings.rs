//! The readings that what was said may have as long as it is not known which fences are closed. A message is
//! Markdown: there a block that is never closed goes on to the end. A plain command may print a fence and mean
//! nothing by it: one that is never closed covers its paragraph.

use super::{
    ClaimReading,
    reader::{Reader, Said},
};
use crate::text::prose::{self, CodeBlocks, EndFence};

/// The readings that are possible so far.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    code: CodeBlocks,
    /// What is said if each fence is one.
    main: Reader,
    /// What a plain command says if the fence that is open is never closed.
    unpaired: Option<Unpaired>,
    /// A block that the end of a line of text opened.
    loose: Option<Loose>,
    is_message: bool,
    /// Whether the ends of lines open blocks.
    knows_loose: bool,
}

/// What is said if fences do not pair up. Then it is not known which lines between them are code, and none of
/// them counts.
#[derive(Clone, Debug)]
struct Unpaired {
    /// With all lines since the first fence as code.
    shown: Reader,
    /// With the lines before the last fence as code, and those after it up to a blank one.
    rest: Reader,
    is_past_paragraph: bool,
}

/// A block such as the one that `I will say: ```` begins. It is none if nothing closes it.
#[derive(Clone, Debug)]
struct Loose {
    fence: EndFence,
    /// The readings if it is none.
    otherwise: Box<Readings>,
}

impl Readings {
    /// Those of a message.
    pub(super) fn of_message(reader: Reader) -> Self {
        Self { is_message: true, ..Self::of_output(reader) }
    }

    /// Those of what a plain command prints.
    pub(super) fn of_output(reader: Reader) -> Self {
        Self {
            code: CodeBlocks::default(),
            main: reader,
            unpaired: None,
            loose: None,
            is_message: false,
            knows_loose: true,
        }
    }

    /// Takes a blank line.
    pub(super) fn blank_line(&mut self) {
        if let Some(unpaired) = &mut self.unpaired {
            unpaired.is_past_paragraph = true;
        }
        if let Some(loose) = &mut self.loose {
            loose.otherwise.blank_line();
        }
    }

    /// Takes a line that is not blank.
    pub(super) fn line(&mut self, said: Said<'_>) {
        if self.loose.is_some() {
            return self.line_of_loose(said);
        }
        let was_open = self.code.is_open();
        let is_code = self.code.has(said.text);
        let ends = EndFence::opened_by(said.text);
        let is_fence = was_open != self.code.is_open() || was_open && ends.is_some();
        match &mut self.unpaired {
            Some(unpaired) => unpaired.line(said, is_fence),
            None if is_fence && !self.is_message => {
                self.unpaired = Some(Unpaired::new(self.main.clone(), said));
            }
            None => (),
        }
        self.main.line(said, is_code);
        if let Some(fence) = ends.filter(|_| !is_code && self.knows_loose) {
            let otherwise = Box::new(Self { knows_loose: false, ..self.clone() });
            self.loose = Some(Loose { fence, otherwise });
        }
    }

    /// Takes a line of a block that the end of a line opened.
    fn line_of_loose(&mut self, said: Said<'_>) {
        self.main.line(said, true);
        if let Some(unpaired) = &mut self.unpaired {
            unpaired.line(said, false);
        }
        self.loose = self.loose.take().filter(|loose| !loose.fence.is_closed_by(said.text));
        if let Some(loose) = &mut self.loose {
            loose.otherwise.line(said);
        }
    }

    /// Whether the next lines matter, whatever is in them.
    pub(super) fn waits(&self) -> bool {
        self.main.waits()
            || self.unpaired.as_ref().is_some_and(Unpaired::waits)
            || self.loose.as_ref().is_some_and(|loose| loose.otherwise.waits())
    }

    /// Lines came that say nothing to them.
    pub(super) fn pass_over(&mut self) {
        self.main.pass_over();
        if let Some(unpaired) = &mut self.unpaired {
            unpaired.shown.pass_over();
            unpaired.rest.pass_over();
        }
        if let Some(loose) = &mut self.loose {
            loose.otherwise.pass_over();
        }
    }

    /// What was said, now that it is over.
    pub(super) fn finish(self) -> ClaimReading {
        match (self.loose, self.unpaired) {
            (Some(loose), _) => loose.otherwise.finish(),
            (None, Some(unpaired)) if self.code.is_open() => unpaired.rest.finish(),
            (None, _) => self.main.finish(),
        }
    }
}

impl Unpaired {
    /// From the first fence on.
    fn new(before: Reader, fence: Said<'_>) -> Self {
        let mut shown = before;
        shown.line(fence, true);
        Self { rest: shown.clone(), shown, is_past_paragraph: false }
    }

    fn line(&mut self, said: Said<'_>, is_fence: bool) {
        self.shown.line(said, true);
        if is_fence {
            self.rest = self.shown.clone();
            self.is_past_paragraph = false;
        } else {
            self.rest.line(said, !self.is_past_paragraph || prose::is_indented(said.text));
        }
    }

    fn waits(&self) -> bool {
        !self.is_past_paragraph || self.shown.waits() || self.rest.waits()
    }
}
