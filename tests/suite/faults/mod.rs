//! Database faults: every credit and every asset stays accounted for when requests or responses are lost,
//! rejected or delayed.

mod charge;
mod creates;
mod interleaving;
mod parts;
mod plan;
mod random;
mod sign_ups;
