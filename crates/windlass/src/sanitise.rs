//! The one sanitiser: what an agent said, made safe for a terminal.
