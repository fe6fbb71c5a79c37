//! Some code stays free of certain names, such as the clock in release code, and nothing scans a table.

use harness::sources;

/// What the code of some folders does not name, and so does not know.
const ABSENCES: [(&[&str], &[&str]); 5] = [
    // A release is the same, whenever and wherever it is made and read.
    (
        &["dataset/src", "builder/src", "json/src"],
        &["SystemTime", "Instant", "Utc::now", "env::var", "async fn", "std::net"],
    ),
    (&["shared/src/types"], &["axum", "http::", "deserr", "aws_"]),
    (&["shared/src/input"], &["HeaderMap", "HeaderName", "aws_"]),
    (&["shared/src/admission"], &["axum", "HeaderMap", "HeaderName", "headers()"]),
    (&["shared/src/dynamo"], &["axum", "http::", "deserr"]),
];

#[test]
fn no_module_names_what_it_does_not_know() {
    for (folders, words) in ABSENCES {
        for (path, source) in sources(folders) {
            for word in words {
                assert!(!source.contains(word), "{path:?} names {word}");
            }
        }
    }
}

#[test]
fn no_code_scans_a_table() {
    for (path, source) in sources(&["shared/src", "functions", "marquee/src"]) {
        for call in [".scan()", ".execute_statement()", "operation::scan"] {
            assert!(!source.contains(call), "{path:?} calls {call}");
        }
    }
}
