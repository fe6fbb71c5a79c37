//! The places of a release: how they are written, found and sorted.

mod file;
mod fixture;
mod ids;
mod oracle;
mod paging;
mod search;
