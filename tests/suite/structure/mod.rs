//! Tests of package dependencies and source code conventions.

mod absences;
mod packages;
