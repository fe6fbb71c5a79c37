//! The project's packages: dependencies, versions, and the pinned toolchain.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{root, sources};
use serde_json::{Value, json};

const FUNCTIONS: [&str; 11] = [
    "account",
    "audiences",
    "changes",
    "estimates",
    "inventory",
    "mcp",
    "measurement",
    "places",
    "portal",
    "scenarios",
    "tiles",
];

/// Packages, and the name prefixes of packages that they must not depend on.
const ABSENCES: [(&[&str], &str); 5] = [
    // Functions use only one TLS stack, and contain neither the embedded engine nor the release builder.
    (&FUNCTIONS, "native-tls openssl s2n-tls aws-lc dynoxide clap builder rstar toml indicatif"),
    // Accounting and releases don't depend on an async runtime, HTTP, or AWS.
    (
        &["accounting", "dataset", "strict-json", "builder", "contact-model"],
        "tokio axum hyper http lambda_ aws store gateway",
    ),
    // Storage and measurement code doesn't depend on an HTTP framework.
    (&["store", "measurement", "changes"], "axum lambda_http tower-http deserr gateway"),
    // Fetching releases doesn't depend on accounts.
    (&["release-store"], "accounting store gateway axum"),
    // These functions don't use releases.
    (
        &["gateway", "account", "changes", "mcp", "measurement", "portal"],
        "dataset release-store builder memmap2",
    ),
];

/// Runs cargo on the workspace and returns its output.
fn cargo(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--offline", "--locked"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns a package's direct and transitive dependencies, including build dependencies.
fn tree(package: &str) -> BTreeSet<String> {
    let packages = cargo(&[
        "tree",
        "--package",
        package,
        "--edges",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{p}",
    ]);
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
fn cached_builds_depend_on_all_crates_that_the_builder_uses() {
    let code = read("builder/build.rs");
    let tree =
        cargo(&["tree", "--package", "builder", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    let shared = tree.lines().filter_map(|line| line.split_once("/shared/")?.1.split(')').next());
    for folder in shared {
        for file in ["src", "Cargo.toml"] {
            assert!(code.contains(&format!("\"../shared/{folder}/{file}\"")), "builder/build.rs: {folder}");
        }
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
    let said = format!("takes about {} minutes", minutes.expect("the duration of the build"));
    assert!(read("README.md").contains(&said), "README.md must say that the first build {said}");
}

#[test]
fn embedded_engine_is_compiled_without_its_server() {
    let manifest = read("Cargo.toml");
    let engine = manifest.lines().find(|line| line.starts_with("dynoxide-rs = ")).expect("the engine");
    assert!(engine.ends_with("default-features = false, features = [\"native-sqlite\"] }"), "{engine}");
}

/// Returns the workspace's packages as described by `cargo metadata`.
fn packages() -> Vec<Value> {
    let mut metadata: Value =
        serde_json::from_str(&cargo(&["metadata", "--no-deps", "--format-version", "1"])).expect("JSON");
    serde_json::from_value(metadata["packages"].take()).expect("packages")
}

/// Cargo doesn't compile the tests of a library with `test = false`, so they would never run.
#[test]
fn libraries_have_unit_tests_and_doctests_only_if_cargo_runs_them() {
    for package in packages() {
        let targets = package["targets"].as_array().expect("targets");
        let Some(library) = targets.iter().find(|target| target["kind"] == json!(["lib"])) else { continue };
        let root = Path::new(library["src_path"].as_str().expect("a path")).parent().expect("a folder");
        let code = sources(&[root.to_str().expect("UTF-8")]);
        let contain = |text: &str| code.iter().any(|(_, source)| source.contains(text));
        assert_eq!(library["test"], json!(contain("#[cfg(test)]")), "`test` in {}", package["name"]);
        let has_examples = code.iter().flat_map(|(_, source)| source.lines()).any(|line| {
            let line = line.trim_start();
            line.starts_with("/// ```") || line.starts_with("//! ```rust")
        });
        assert_eq!(library["doctest"], json!(has_examples), "`doctest` in {}", package["name"]);
    }
}

/// Cargo finds test files only in a package's `tests` folder.
#[test]
fn tests_of_the_builder_are_listed_in_their_package() {
    let packages = packages();
    let package = packages.iter().find(|package| package["name"] == "builder-tests").expect("the package");
    let targets = package["targets"].as_array().expect("targets").iter();
    let listed: BTreeSet<PathBuf> =
        targets.map(|target| target["src_path"].as_str().expect("a path").into()).collect();
    let folder = root().join("builder/tests").canonicalize().expect("a folder");
    let files = sources(&["builder/tests"]).into_iter().map(|(path, _)| path.canonicalize().expect("a file"));
    let programs = files.filter(|path| path.parent() == Some(&folder) || path.ends_with("main.rs"));
    assert_eq!(listed, programs.collect());
}

#[test]
fn packages_share_one_version_and_have_no_features() {
    let packages = packages();
    for package in &packages {
        let name = &package["name"];
        assert_eq!(package["features"], json!({}), "{name}");
        assert_eq!(package["version"], packages[0]["version"], "{name}");
        let manifest = read(package["manifest_path"].as_str().expect("a path"));
        let own =
            manifest.lines().find(|line| line.contains("version = \"") || line.contains("path = \"../"));
        assert_eq!(own, None, "{name}: versions and paths belong in the workspace's table");
    }
}

#[test]
fn source_files_have_specific_names() {
    for (path, _) in sources(&["builder", "functions", "marquee", "shared", "tests"]) {
        let unspecific = ["utils", "util", "common", "helpers", "helper", "misc"];
        let own = path.strip_prefix(root()).expect("a path of the project").with_extension("");
        assert!(!own.iter().any(|part| unspecific.iter().any(|name| part == *name)), "{path:?}");
    }
}
