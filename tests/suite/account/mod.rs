//! Credits, health, and the interface description.

mod credits;
mod health;
mod openapi;
