//! Files of displays.

mod flat;
mod full;
mod identity;
mod tables;
