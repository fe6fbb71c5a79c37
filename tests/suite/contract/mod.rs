//! Tests of the API contract that apply to every operation.

mod access;
mod bodies;
mod body_limits;
mod browsers;
mod compression;
mod default_route;
mod documentation;
mod head;
mod log_lines;
mod malformed;
mod matrix;
mod mutations;
mod numbers;
mod openapi_examples;
mod openness;
mod parameters;
mod price_list;
mod routes;
mod secrets;
mod security_headers;
mod tables;
