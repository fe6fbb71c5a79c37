//! The test suite. Each function has a folder for its own routes. The other folders are:
//!
//! - `contract`: rules that apply to all operations
//! - `platform`: the gateways and the stack
//! - `admission`: authentication, rate limits, charges, and refunds
//! - `faults`: database failures
//! - `releases`: publishing and opening releases
//! - `local`: the `marquee` program and the documents
//! - `published`: the sample compared with published figures
//! - `structure`: the source code

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

/// The allocator of `marquee`. With the system's allocator, the contract tests take 5% more processor time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
