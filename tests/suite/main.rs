//! The tests, in folders that mirror the routes.

mod account;
mod admission;
mod faults;
mod lambda;
mod measurement;
mod scenarios;
