//! Tests that certain code doesn't use certain APIs, such as clocks in release code or table scans in any
//! code.
use harness::sources;

/// Folders, and strings that their code must not contain.
const ABSENCES: [(&[&str], &[&str]); 2] = [
    // Building and reading a release must not depend on the time or the environment.
    (
        &["shared/dataset/src", "builder/src", "shared/json/src"],
        &["SystemTime", "Instant", "Utc::now", "env::var", "async fn", "std::net"],
    ),
    (&["shared", "functions", "marquee/src"], &[".scan()", ".execute_statement()", "operation::scan"]),
];

/// The only file of the builder and the dataset that may use `SystemTime`. The build cache uses it to remove
/// entries that haven't been used for a week. Releases don't depend on the cache.
const BUILD_CACHE: &str = "builder/src/build/cache.rs";

#[test]
fn code_does_not_use_forbidden_apis() {
    for (folders, words) in ABSENCES {
        for (path, source) in sources(folders) {
            for word in words.iter().filter(|word| !(**word == "SystemTime" && path.ends_with(BUILD_CACHE))) {
                assert!(!source.contains(word), "{path:?} must not contain {word}");
            }
        }
    }
}
