//! Credits, health, and the interface description.

mod bills;
mod credits;
mod health;
mod keys;
mod openapi;
