//! Which rows are the same display, and the IDs of rows that have none.

use crate::{Outcome, import_displays};

const MAP: &str = "[columns]\nspot_id = \"id\"\nplant_spot_id = \"plant\"\noperator = \"operator\"\n\
                   media_name = \"name\"\nlatitude = \"y\"\nlongitude = \"x\"";

fn csv(rows: &[&str]) -> Outcome {
    import_displays("csv", format!("id,plant,operator,name,y,x\n{}\n", rows.join("\n")), Some(MAP))
}

#[test]
fn missing_id_follows_from_the_namespace_and_the_own_id() {
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
fn row_that_repeats_a_display_is_rejected_with_the_other_row() {
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
    let derived = format!("row 2 has the same spot_id {}", csv(&[first]).ids()[0]);
    assert_eq!(
        imported.reasons(),
        [
            (3, "row 2 has the same plant_spot_id, place, direction, and size"),
            (5, "row 4 has the same spot_id 5"),
            (6, derived.as_str()),
            (7, "spot_id and plant_spot_id are missing; one of them is needed"),
        ]
    );
}
