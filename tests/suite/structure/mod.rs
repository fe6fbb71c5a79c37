//! Tests of package dependencies and of source code conventions.

mod absences;
mod packages;
