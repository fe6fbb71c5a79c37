//! Registers in the shapes that media owners send them: nothing is lost silently.

use crate::{Outcome, import_displays};

/// Returns the notices of a build, without those that every test's build has.
fn notices(outcome: &Outcome) -> Vec<String> {
    let texts = outcome.notices().iter().map(|notice| outcome.folder.relative(&notice.to_string()));
    texts.filter(|text| !text.starts_with("there is no release to compare with")).collect()
}

#[test]
fn columns_without_a_name_are_listed_if_they_have_a_value() {
    for (rows, listed) in [
        ("Unit #,Lat,Long,,Note,\nA-1,40.7,-73.9,,,\n", "\"Note\""),
        ("Unit #,Lat,Long,,,\nA-1,40.7,-73.9,,,\nA-2,40.8,-73.9,, new,\n", "\"column 5 (no name)\""),
    ] {
        let outcome = import_displays("csv", rows, None);
        let expected = format!("Example Outdoor (example): nothing reads the columns {listed}");
        assert_eq!(notices(&outcome), [expected]);
    }
}
