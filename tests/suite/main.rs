//! The tests: what holds for all operations in `contract`, what is the gateway's own in `platform`, each route's
//! in the folder of its function, and how callers are admitted, faults met and releases opened in folders of
//! their own.

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
