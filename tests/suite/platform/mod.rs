//! Tests of the deployed functions and the stack: gateway events, processes, routes, permissions, and
//! database costs.

mod capacity;
mod events;
mod https;
mod mcp;
mod portal;
mod queues;
mod resources;
mod routes;
mod runtime;
mod stage;
mod template;
