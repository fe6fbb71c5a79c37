//! Tests of the geographies and the resident population of a release built from the project's tables.

mod agreement;
mod broken;
mod built;
mod geographies;
mod persons;
mod segments;
mod sources;
