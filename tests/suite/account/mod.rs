mod browsers;
mod credits;
mod default_route;
mod health;
mod log_lines;
mod openapi;
mod openapi_examples;
mod secrets;
