//! Tests the geographies and the resident population in a release built from the project's tables.

mod agreement;
mod broken;
mod built;
mod geographies;
mod persons;
mod segments;
mod sources;
