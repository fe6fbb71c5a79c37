//! The test suite. `contract` tests rules that all operations share, `platform` the gateway and the stack,
//! and a folder per function its own routes. `admission`, `faults`, and `releases` test access, failures, and
//! opening releases.

mod account;
mod admission;
mod audiences;
mod contract;
mod faults;
mod inventory;
mod local;
mod measurement;
mod places;
mod platform;
mod portal;
mod releases;
mod scenarios;
mod structure;
mod tiles;
