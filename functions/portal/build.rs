//! Compiles the crate anew when a file of the pages comes or goes.

fn main() {
    println!("cargo:rerun-if-changed=web");
    println!("cargo:rerun-if-changed=build.rs");
}
