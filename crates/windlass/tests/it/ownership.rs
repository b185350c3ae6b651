//! Locks and doorbells, between real processes.
