//! Protected files: what they held when the loop began, so that an agent cannot pass a check by
//! changing it.

use std::collections::BTreeMap;

/// Paths relative to the work tree, and the SHA-256 of what each holds.
pub type Fingerprints = BTreeMap<String, String>;
