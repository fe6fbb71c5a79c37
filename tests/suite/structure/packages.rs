//! Checks the dependencies of our packages, and the versions that several files name.

use std::collections::BTreeSet;
use std::process::Command;

use harness::root;

const FUNCTIONS: [&str; 8] =
    ["account", "audiences", "inventory", "measurement", "places", "portal", "scenarios", "tiles"];

/// Packages, and prefixes of package names that must not be among their dependencies.
const ABSENCES: [(&[&str], &str); 5] = [
    // Functions use only one TLS stack, and neither the embedded engine nor the builder of releases.
    (&FUNCTIONS, "native-tls openssl s2n-tls aws-lc dynoxide clap builder rstar toml indicatif"),
    // Accounting and releases work without an async runtime, HTTP, or AWS.
    (&["accounting", "dataset", "strict-json", "builder"], "tokio axum hyper http lambda_ aws store gateway"),
    // Storage and measurement code doesn't depend on an HTTP framework.
    (&["store", "measurement"], "axum lambda_http tower-http deserr gateway"),
    // Fetching releases doesn't depend on accounts.
    (&["release-store"], "accounting store gateway axum"),
    // Some functions don't use releases.
    (&["gateway", "account", "measurement", "portal"], "dataset release-store builder memmap2"),
];

/// Returns the names of a package's transitive dependencies, including build dependencies.
fn tree(package: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "--locked", "--package", package])
        .args(["--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let packages = String::from_utf8(output.stdout).expect("text");
    packages.lines().skip(1).filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

fn read(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect("a file of the repository")
}

#[test]
fn packages_have_no_forbidden_dependencies() {
    for (packages, absent) in ABSENCES {
        for package in packages {
            for name in tree(package) {
                let found = absent.split(' ').find(|absent| name.starts_with(absent));
                assert_eq!(found, None, "{package} links {name}");
            }
        }
    }
    for function in FUNCTIONS {
        let tree = tree(function);
        assert!(tree.contains("ring") && tree.contains("rustls"), "{function}: {tree:?}");
    }
}

#[test]
fn toolchain_matches_readme_and_packages() {
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = ")).expect("a version");
    let version = version.trim_matches('"');
    assert!(
        read("rust-toolchain.toml").contains(&format!("channel = \"{version}.")),
        "the toolchain: {version}"
    );
    assert!(read("README.md").contains(&format!("Rust {version}")), "README.md must name Rust {version}");
}

#[test]
fn readme_and_makefile_agree_on_the_first_build_time() {
    let makefile = read("Makefile");
    let minutes = makefile.lines().find_map(|line| line.strip_prefix("FIRST_BUILD_MINUTES := "));
    let said = format!("takes about {} minutes", minutes.expect("how long the first build takes"));
    assert!(read("README.md").contains(&said), "README.md must say that the first build {said}");
}
