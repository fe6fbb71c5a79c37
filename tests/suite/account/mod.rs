//! Credits, grants, usage, health, and the interface description.

mod bills;
mod credits;
mod grants;
mod health;
mod openapi;
mod usage;
