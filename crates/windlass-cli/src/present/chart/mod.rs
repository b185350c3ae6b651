//! Charts as SVG, made of plain numbers. They know no loop and do no I/O; colour comes from the
//! style sheet, and everything that colour says is said by form and words too.

mod bars;
mod convergence;
mod figures;
mod scale;
mod sparkline;

use bars::{Bars, bars};
use convergence::{Convergence, Mark, convergence};
pub(crate) use figures::{Course, converging, costs};
pub(crate) use sparkline::sparkline;
