//! A loop's state as a fold over its events, for every screen.
