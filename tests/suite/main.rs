//! The tests, in folders that mirror the routes.

mod account;
mod admission;
mod audiences;
mod contract;
mod faults;
mod inventory;
mod lambda;
mod local;
mod measurement;
mod places;
mod platform;
mod releases;
mod scenarios;
mod tiles;
