//! Code that must not use certain APIs, such as clocks in release code or table scans anywhere.
use harness::sources;

/// Folders, and strings that must not occur in their code.
const ABSENCES: [(&[&str], &[&str]); 2] = [
    // Building and reading a release must not depend on the time or the environment.
    (
        &["shared/dataset/src", "builder/src", "shared/json/src"],
        &["SystemTime", "Instant", "Utc::now", "env::var", "async fn", "std::net"],
    ),
    (&["shared", "functions", "marquee/src"], &[".scan()", ".execute_statement()", "operation::scan"]),
];

/// The only file in the builder and the dataset that may use `SystemTime`. The build cache needs it to remove
/// entries that haven't been used for a week, and doesn't affect releases.
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
