//! The test harness: the real routers on the real engine, a clock that stands still, a wire that can be
//! broken, a contract that every response is held to, and the golden tables of operations and products.

mod answer;
mod bucket;
mod contract;
pub mod costs;
mod exchange;
mod functions;
mod issuer;
mod known_asset;
mod limited_bucket;
mod logs;
mod operation;
mod operations;
mod people;
mod products;
mod release;
mod rsa;
pub mod runtime_api;
pub mod samples;
mod serving;
mod sources;
mod stamped;
mod stored;
mod wire;
mod world;
mod worst_bodies;

pub use answer::Answer;
pub use bucket::{BucketCall, BucketServer, Spoiled};
pub use contract::{Contract, DocumentedOperation};
pub use exchange::{exchange, try_exchange};
pub use functions::{FUNCTIONS, binary_of, function_of, served_by};
pub use issuer::{SigningKey, TestIssuer, part};
pub use known_asset::{Body, Delete, Known};
pub use limited_bucket::{LimitedBucketServer, Network};
pub use logs::Logs;
pub use operation::Operation;
pub use operations::{OPERATIONS, operation};
pub use products::{PRODUCTS, ProductRow, price, product_row};
pub use release::{sample, sample_release, synthesized_release};
pub use serving::{Ended, Serving, in_time};
pub use sources::{root, sources};
pub use stamped::{large_spots, stamped, text, version, whole};
pub use stored::{StoredItem, size_of};
pub use wire::{AnswerDate, Fault, Sent, Wire};
pub use world::{Call, PUBLIC_URL, TestOrg, World, WorldOptions};
pub use worst_bodies::{Room, WORST_BODIES, WorstBody, list, object};
