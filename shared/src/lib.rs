//! What the functions share, and what knows no route: types ← dynamo ← admission ← http, config.

pub mod admission;
mod app;
pub mod config;
pub mod dynamo;
pub mod http;
pub mod types;

pub use app::App;
