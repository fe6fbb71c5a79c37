//! Tests of writing, searching, and sorting places.

mod file;
mod fixture;
mod ids;
mod oracle;
mod paging;
mod search;
