//! Tests of writing, searching, and sorting the places of a release.

mod file;
mod fixture;
mod ids;
mod oracle;
mod paging;
mod search;
