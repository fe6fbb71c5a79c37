//! What our packages, and the modules of each, may know of each other.

mod absences;
mod cycles;
mod modules;
mod packages;
