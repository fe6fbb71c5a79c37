//! The functions as Lambda sees them: their events, their processes, their routes, their permissions and their costs.

mod capacity;
mod events;
mod permissions;
mod resources;
mod routes;
mod runtime;
mod template;
