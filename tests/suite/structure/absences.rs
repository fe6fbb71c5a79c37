//! Checks that code doesn't use certain APIs: no clock in release code, and no table scans anywhere.
use harness::sources;

/// Folders, and text that must not occur in their code.
const ABSENCES: [(&[&str], &[&str]); 2] = [
    // Building and reading a release must not depend on time or environment.
    (
        &["shared/dataset/src", "builder/src", "shared/json/src"],
        &["SystemTime", "Instant", "Utc::now", "env::var", "async fn", "std::net"],
    ),
    (&["shared", "functions", "marquee/src"], &[".scan()", ".execute_statement()", "operation::scan"]),
];

#[test]
fn code_does_not_use_forbidden_apis() {
    for (folders, words) in ABSENCES {
        for (path, source) in sources(folders) {
            for word in words {
                assert!(!source.contains(word), "{path:?} must not contain {word}");
            }
        }
    }
}
