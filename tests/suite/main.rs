//! The test suite. `contract` tests rules that apply to all operations, `platform` tests the gateways and the
//! stack, and each function has a folder for its own routes. `admission` tests access, `faults` tests
//! database failures, and `releases` tests opening releases. `local` tests the `marquee` program and the
//! documents, `published` compares the sample with published figures, and `structure` tests the source code.

mod account;
mod admission;
mod audiences;
mod changes;
mod contract;
mod estimates;
mod faults;
mod inventory;
mod local;
mod mcp;
mod measurement;
mod places;
mod platform;
mod portal;
mod published;
mod releases;
mod scenarios;
mod structure;
mod tiles;
