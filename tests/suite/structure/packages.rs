//! Checks the dependencies of our packages, their shared version, and the pinned toolchain.
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use harness::root;
use serde_json::Value;

const FUNCTIONS: [&str; 8] =
    ["account", "audiences", "inventory", "measurement", "places", "portal", "scenarios", "tiles"];

/// Packages, and prefixes of package names that must not be among their dependencies.
const ABSENCES: [(&[&str], &[&str]); 5] = [
    // Functions use only one TLS stack, and neither the embedded engine nor the builder of releases.
    (
        &FUNCTIONS,
        &[
            "native-tls",
            "openssl",
            "s2n-tls",
            "aws-lc",
            "dynoxide",
            "clap",
            "builder",
            "rstar",
            "toml",
            "indicatif",
        ],
    ),
    // Accounting and releases work without an async runtime, HTTP, or AWS.
    (
        &["accounting", "dataset", "strict-json", "builder"],
        &["tokio", "axum", "hyper", "http", "lambda_", "aws", "store", "gateway"],
    ),
    // Storage and measurement code doesn't depend on an HTTP framework.
    (&["store", "measurement"], &["axum", "lambda_http", "tower-http", "deserr", "gateway"]),
    // Fetching releases doesn't depend on accounts.
    (&["release-store"], &["accounting", "store", "gateway", "axum"]),
    // Some functions don't use releases.
    (&["gateway", "account", "measurement", "portal"], &["dataset", "release-store", "builder", "memmap2"]),
];

/// Returns the target triple of this machine. Dependencies of other platforms might not be downloaded.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_owned()
}

/// Returns cargo's metadata of the workspace and its dependencies on this platform.
fn metadata() -> &'static Value {
    static METADATA: OnceLock<Value> = OnceLock::new();
    METADATA.get_or_init(|| {
        let output = Command::new(env!("CARGO"))
            .args(["metadata", "--offline", "--locked", "--format-version", "1"])
            .args(["--filter-platform", &host()])
            .current_dir(root())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    })
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a string"))
}

/// Returns our own packages by name.
fn members() -> BTreeMap<&'static str, &'static Value> {
    let members: BTreeSet<_> = texts(&metadata()["workspace_members"]).collect();
    let packages = metadata()["packages"].as_array().expect("packages").iter();
    packages
        .filter(|package| members.contains(package["id"].as_str().expect("an ID")))
        .map(|package| (package["name"].as_str().expect("a name"), package))
        .collect()
}

/// Returns the names of a package's transitive dependencies, including build dependencies.
fn tree(package: &str) -> BTreeSet<&'static str> {
    let nodes: BTreeMap<&str, &Value> = metadata()["resolve"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| (node["id"].as_str().expect("an ID"), node))
        .collect();
    let names: BTreeMap<&str, &str> = metadata()["packages"]
        .as_array()
        .expect("packages")
        .iter()
        .map(|package| (package["id"].as_str().expect("an ID"), package["name"].as_str().expect("a name")))
        .collect();
    let mut found = BTreeSet::new();
    let mut ahead = vec![members()[package]["id"].as_str().expect("an ID")];
    while let Some(id) = ahead.pop() {
        for dependency in nodes[id]["deps"].as_array().expect("dependencies") {
            let mut kinds = dependency["dep_kinds"].as_array().expect("kinds").iter();
            let next = dependency["pkg"].as_str().expect("an ID");
            if kinds.any(|kind| kind["kind"] != "dev") && found.insert(next) {
                ahead.push(next);
            }
        }
    }
    found.into_iter().map(|id| names[id]).collect()
}

#[test]
fn packages_have_no_forbidden_dependencies() {
    for (packages, absent) in ABSENCES {
        for package in packages {
            for name in tree(package) {
                let found = absent.iter().find(|absent| name.starts_with(**absent));
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
fn embedded_engine_is_compiled_without_its_server() {
    let dependencies = members()["marquee"]["dependencies"].as_array().expect("dependencies").clone();
    let engine = dependencies.iter().find(|dependency| dependency["name"] == "dynoxide-rs");
    let engine = engine.expect("the engine");
    let features = (&engine["uses_default_features"], &engine["features"]);
    assert_eq!(features, (&false.into(), &serde_json::json!(["native-sqlite"])));
}

#[test]
fn toolchain_matches_readme_and_packages() {
    let pinned = std::fs::read_to_string(root().join("rust-toolchain.toml")).expect("a toolchain");
    let version = members()["accounting"]["rust_version"].as_str().expect("a version");
    assert!(
        pinned.contains(&format!("channel = \"{version}.")),
        "rust-toolchain.toml must pin Rust {version}"
    );
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a README");
    assert!(readme.contains(&format!("Rust {version}")), "README.md must name Rust {version}");
}

#[test]
fn readme_and_makefile_agree_on_the_first_build_time() {
    let makefile = std::fs::read_to_string(root().join("Makefile")).expect("a Makefile");
    let minutes = makefile.lines().find_map(|line| line.strip_prefix("FIRST_BUILD_MINUTES := "));
    let said = format!("takes about {} minutes", minutes.expect("how long the first build takes"));
    let readme = std::fs::read_to_string(root().join("README.md")).expect("a README");
    assert!(readme.contains(&said), "README.md must say that the first build {said}");
}

#[test]
fn packages_share_one_version_and_have_no_features() {
    let version = members()["accounting"]["version"].clone();
    for (name, package) in members() {
        assert_eq!(package["features"], serde_json::json!({}), "{name}");
        assert_eq!(package["version"], version, "{name}");
        let manifest = package["manifest_path"].as_str().expect("a path");
        let manifest = std::fs::read_to_string(manifest).expect("a manifest");
        let own =
            manifest.lines().find(|line| line.contains("version = \"") || line.contains("path = \"../"));
        assert_eq!(own, None, "{name}: versions and paths belong in the workspace's table");
    }
}

#[test]
fn source_files_have_specific_names() {
    let mut folders: Vec<PathBuf> = members()
        .values()
        .map(|package| Path::new(package["manifest_path"].as_str().expect("a path")).to_owned())
        .map(|manifest| manifest.parent().expect("a folder").to_owned())
        .collect();
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            assert!(
                !["utils", "util", "common", "helpers", "helper", "misc"].contains(&name.as_str()),
                "{path:?}"
            );
            // Skips packages that npm installs for the portal's checks.
            if path.is_dir() && name != "node_modules" {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files += 1;
            }
        }
    }
    assert!(files > 50, "only {files} source files were checked");
}
