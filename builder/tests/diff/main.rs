//! Tests the comparison of two releases.

mod displays;
mod measures;
mod places;
mod release;
mod text;
