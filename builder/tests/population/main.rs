//! The geographies and the population at home of a release built from the project's own tables.

mod agreement;
mod broken;
mod built;
mod geographies;
mod persons;
mod segments;
mod sources;
