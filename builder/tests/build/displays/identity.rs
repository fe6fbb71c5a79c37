//! Tests rows that describe the same display, and the IDs of rows that don't contain one.

use builder::build::Notice;

use crate::{DISPLAYS, Outcome, Project, import_displays};

const MAP: &str = "[columns]\nspot_id = \"id\"\nplant_spot_id = \"plant\"\noperator = \"operator\"\n\
                   media_name = \"name\"\nlatitude = \"y\"\nlongitude = \"x\"";

fn csv(rows: &[&str]) -> Outcome {
    import_displays("csv", format!("id,plant,operator,name,y,x\n{}\n", rows.join("\n")), Some(MAP))
}

#[test]
fn derives_missing_ids_from_the_namespace_and_plant_spot_id() {
    let rows = [",A-1,Example Outdoor,one,40.7,-73.9", ",A-2,Example Outdoor,two,40.7,-73.9"];
    let imported = csv(&rows);
    let ids = imported.ids();
    assert_eq!(ids, [1_860_100_408, 2_499_589_506], "the same in every version of this program");
    assert_eq!(imported.summary().assigned_ids, 2);

    let [one, two] = rows;
    let again = csv(&[&two.replace("Example Outdoor", "Renamed Outdoor"), one]);
    assert_eq!(again.records().iter().map(|record| &record["spot_id"]).collect::<Vec<_>>(), ids);
}

#[test]
fn rejects_duplicate_displays_and_names_the_other_row() {
    let first = ",A-1,Example Outdoor,derived,40.7,-73.9";
    let taken = format!("{},,,,40.7,-73.9", csv(&[first]).ids()[0]);
    let imported = csv(&[
        first,
        ",A-1,EXAMPLE OUTDOOR,derived,40.7,-73.9",
        "5,,,,40.7,-73.9",
        "5,,,,40.8,-73.9",
        &taken,
        ",,,,40.7,-73.9",
    ]);
    let derived = format!("row 2 also has spot_id {}", csv(&[first]).ids()[0]);
    assert_eq!(
        imported.reasons(),
        [
            (3, "row 2 has the same plant_spot_id, position, direction, and description"),
            (5, "row 4 also has spot_id 5"),
            (6, derived.as_str()),
            (7, "spot_id and plant_spot_id are missing; one of them is required"),
        ]
    );
}

const FACES: &str = "plant_spot_id,media_type,orientation,latitude,longitude";

/// Returns the notices about numbers shared by several rows.
fn shared(outcome: &Outcome) -> Vec<String> {
    let notices = outcome.notices().iter().filter(|notice| matches!(notice, Notice::SharedNumber { .. }));
    notices.map(|notice| outcome.folder.relative(&notice.to_string())).collect()
}

#[test]
fn reports_shared_numbers_except_for_faces_of_one_structure() {
    for (rows, count) in [
        (["A-1,Bulletin,N,40.7,-73.9", "A-1,Bulletin,S,40.7,-73.9"], 0),
        (["A-1,Bulletin,N,40.7,-73.9", "A-1,Digital,SE,40.7005,-73.9"], 0),
        (["A-1,Bulletin,N,40.7,-73.9", "A-1,Bulletin,S,40.8,-73.9"], 1),
        (["A-1,Bulletin,N,40.7,-73.9", "A-1,Poster,N,40.7,-73.9"], 1),
        (["A-1,Bulletin,,40.7,-73.9", "A-1,Poster,,40.7,-73.9"], 1),
    ] {
        let text = format!("{FACES}\n{}\n", rows.join("\n"));
        let project =
            Project::new().file("rows.csv", text).list(&format!("{DISPLAYS}files = [\"rows.csv\"]\n"));
        // The second build reads both IDs from the namespace's file.
        for _ in 0..2 {
            let outcome = project.build();
            assert_eq!(outcome.ids().len(), 2, "{rows:?}");
            assert_eq!(shared(&outcome).len(), count, "{rows:?}");
            if count > 0 {
                assert_eq!(
                    shared(&outcome)[0],
                    "Example Outdoor (example): rows whose plant_spot_id is also used for a different record: 1; in \
                     the first, row 3 of rows.csv, \"A-1\" is also the number of row 2 of rows.csv; each row gets \
                     its own record"
                );
            }
        }
    }
}

#[test]
fn detects_duplicate_displays_in_sources_with_the_same_namespace() {
    let entry = |name: &str, files: &str| {
        let entry = DISPLAYS.replace("Example Outdoor", name);
        format!("{entry}files = [{files}]\nmax_rejects = 1\n")
    };
    let table = |rows: &str| format!("{FACES}\n{rows}\n");
    let (first, second) = ("1,Bulletin,N,40.7,-73.9", "2,Bulletin,N,40.71,-73.9");
    let list = entry("One", "\"a.csv\", \"b.csv\"") + &entry("Two", "\"c.csv\"");
    let project = Project::new().file("a.csv", table(first)).file("b.csv", table(second)).list(&list);
    let project = project.file("c.csv", table(&format!("{second}\n1,Poster,N,40.7,-73.9")));
    let outcome = project.build();
    let other = "a row in another source with the same `ids`";
    let reason = format!("{other} has the same plant_spot_id, position, direction, and description");
    assert_eq!(outcome.reasons(), [(2, reason.as_str())]);
    let notice = shared(&outcome).remove(0);
    assert!(notice.contains(&format!("row 3 of c.csv, \"1\" is also the number of {other}")), "{notice}");
    // The row is accepted once the other source no longer contains the number, even though the row's own file
    // is unchanged.
    let outcome = project.file("b.csv", table("3,Bulletin,N,40.72,-73.9")).build();
    assert_eq!(outcome.reasons(), []);
}
