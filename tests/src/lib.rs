//! The test harness: the real routers on the real engine, a clock that stands still, a wire that can be broken, and a
//! contract that every response is held to.

mod answer;
mod bucket;
mod contract;
pub mod costs;
mod issuer;
mod logs;
mod release;
mod rsa;
pub mod runtime_api;
pub mod samples;
mod sources;
mod stored;
mod wire;
mod world;

pub use answer::Answer;
pub use bucket::{BucketCall, BucketServer};
pub use contract::{Contract, DocumentedOperation};
pub use issuer::{SigningKey, TestIssuer, part};
pub use logs::Logs;
pub use release::{sample, sample_release, synthesized_release};
pub use sources::{root, sources};
pub use stored::{StoredItem, size_of};
pub use wire::{Fault, Sent, Wire};
pub use world::{Call, PUBLIC_URL, TestOrg, World, WorldOptions};
