//! What the functions share, and what knows no route: types ← dynamo ← admission ← http, config; bucket ← release.

pub mod admission;
mod app;
pub mod bucket;
pub mod config;
pub mod dynamo;
pub mod http;
pub mod release;
pub mod types;

pub use app::App;
