//! The functions as API Gateway, Lambda, SAM and DynamoDB see them: their events, processes, routes,
//! permissions and costs.

mod capacity;
mod events;
mod https;
mod portal;
mod resources;
mod routes;
mod runtime;
mod stage;
mod template;
