//! What the crates and their sources are held to.

mod structure;
