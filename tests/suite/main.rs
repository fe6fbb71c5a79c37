//! The tests, in folders that mirror the routes.

mod account;
mod admission;
mod faults;
mod lambda;
mod local;
mod measurement;
mod releases;
mod scenarios;
