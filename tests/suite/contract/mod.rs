//! What holds for all operations.

mod bodies;
mod browsers;
mod compression;
mod default_route;
mod documentation;
mod log_lines;
mod matrix;
mod openapi_examples;
mod price_list;
mod routes;
mod secrets;
mod violations;
