//! What the functions share, and what knows no route.
//!
//! Arrows point one way: types ← input; types, aws ← runtime ← dynamo ← admission ← app ← http.

pub mod admission;
mod app;
pub mod aws;
pub mod dynamo;
pub mod http;
pub mod input;
pub mod runtime;
pub mod types;

pub use app::App;
