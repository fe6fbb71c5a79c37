//! Some code does not name certain things: release code no clock, and no code a scan of a table.
use harness::sources;

/// Folders, and what their code does not name.
const ABSENCES: [(&[&str], &[&str]); 2] = [
    // A release is the same, whenever and wherever it is made and read.
    (
        &["shared/dataset/src", "builder/src", "shared/json/src"],
        &["SystemTime", "Instant", "Utc::now", "env::var", "async fn", "std::net"],
    ),
    (&["shared", "functions", "marquee/src"], &[".scan()", ".execute_statement()", "operation::scan"]),
];

#[test]
fn code_names_nothing_that_it_has_no_use_for() {
    for (folders, words) in ABSENCES {
        for (path, source) in sources(folders) {
            for word in words {
                assert!(!source.contains(word), "{path:?} names {word}");
            }
        }
    }
}
