//! Database faults: every credit and every asset is accounted for, even when requests or responses are lost,
//! rejected, or delayed.

mod charge;
mod creates;
mod interleaving;
mod parts;
mod plan;
mod random;
mod sign_ups;
