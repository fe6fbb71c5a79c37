//! Whatever the database loses, refuses or delays, every credit and every asset is still accounted for.

mod charge;
mod creates;
mod interleaving;
mod parts;
mod plan;
mod random;
mod sign_ups;
