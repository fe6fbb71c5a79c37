//! The map page of the local process, which shows displays and places from vector tiles. It is never
//! deployed.

mod link;
mod page;

pub(super) use link::{LinkError, link};
pub(super) use page::router;
