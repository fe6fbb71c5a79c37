//! Tests entries in `release.toml` that contradict each other or their files.

use dataset::Figures;

use crate::{DISPLAYS, PLACES, Project, build_file};

const DISPLAY: &str = "spot_id,media_name,latitude,longitude\n7,{},40.7,-73.9\n";
const PLACE: &str = "place_id,place_name,place_type,latitude,longitude\n7,{},Bank,40.7,-73.9\n";

/// Creates a project with two sources that contain a record with the same ID.
fn shared(kind: &str, row: &str, overrides: &str) -> Project {
    let file = |project: Project, name: &str| project.file(&format!("{name}.csv"), row.replace("{}", name));
    let entry = |name: &str, more: &str| {
        format!(
            "[[{kind}]]\nsource = \"{name}\"\nvintage = 2026-07-01\nfiles = [\"{name}.csv\"]\nids = \"{name}\"\n{more}\n"
        )
    };
    let more = if kind == "displays" { "unmeasured = \"keep\"\n" } else { "" };
    let entries = entry("one", &format!("{more}{overrides}")) + &entry("other", more);
    file(file(Project::new(), "one"), "other").list(&entries)
}

#[test]
fn same_id_in_two_sources_stops_the_build_unless_one_overrides_the_other() {
    for (kind, what, row) in [("displays", "spot", DISPLAY), ("places", "place", PLACE)] {
        let reason = format!(
            "{what} 7 is in two sources: row 2 of one.csv from one (one) and row 2 of other.csv from other (other); \
             correct one of them, or, in the entry of the source whose record should be used, add the other \
             source to overrides"
        );
        assert_eq!(shared(kind, row, "").build().error(), reason);
        let outcome = shared(kind, row, "overrides = [\"other\"]").build();
        let overridden: Vec<u64> = outcome.built().report.sources.iter().map(|one| one.overridden).collect();
        assert_eq!(overridden, [0, 1], "{kind}");
        let names = match kind {
            "displays" => outcome.records()[0]["media_name"].to_string(),
            _ => outcome.places()[0].name.clone(),
        };
        assert_eq!(names.trim_matches('"'), "one");
    }
}

#[test]
fn rows_without_ids_need_a_namespace() {
    let entry = DISPLAYS.replace("ids = \"example\"\n", "");
    let outcome = build_file(&entry, "csv", "plant_spot_id,latitude,longitude\nA-1,40.7,-73.9\n", None);
    assert_eq!(
        outcome.error(),
        "Example Outdoor: row 2 of rows.csv has no spot_id; set ids = \"NAME\" in the source's entry to have \
         IDs assigned based on plant_spot_id"
    );
}

#[test]
fn displays_without_measures_stop_the_build_unless_they_are_kept() {
    let entry = DISPLAYS.replace("unmeasured = \"keep\"\n", "");
    let outcome = build_file(&entry, "csv", DISPLAY, None);
    assert_eq!(
        outcome.error(),
        "Example Outdoor (example): rows with neither given nor modelled measures: 1; the first is row 2 of \
         rows.csv; map a column to weekly_impressions or measure, add [modelled] to the column map, or set \
         unmeasured = \"keep\" in the source's entry to keep these rows for lookups only"
    );
}

#[test]
fn modelled_members_of_places_are_rejected() {
    let map = "[columns]\nplace_name = \"n\"\nplace_type = \"t\"\nlatitude = \"y\"\nlongitude = \"x\"\n\
               [modelled]\nvintage = 2026-08-02";
    let outcome = build_file(PLACES, "csv", "n,t,y,x\nA,B,40.7,-73.9\n", Some(map));
    let reason = "Example: [modelled] is allowed only for displays; remove it from the column map";
    assert_eq!(outcome.error(), reason);
}

#[test]
fn files_of_one_source_have_the_same_columns() {
    let header = "place_name,place_type,latitude,longitude";
    let project = Project::new()
        .file("one.csv", format!("{header},brand\nA,Bank,40.7,-73.9,B\n"))
        .file("other.csv", format!("{header},city\nA,Bank,40.8,-73.9,B\n"));
    let outcome = project.list(&format!("{PLACES}files = [\"one.csv\", \"other.csv\"]\n")).build();
    assert_eq!(
        outcome.error(),
        "other.csv: must have the same columns as one.csv, which belongs to the same source, but it lacks \
         \"brand\" and has \"city\"; give the file its own entry"
    );
}

#[test]
fn sources_that_override_each_other_in_a_circle_are_refused() {
    let cases: [(&[(&str, &str)], &str); 4] = [
        (&[("a", "a")], "a overrides a"),
        (&[("a", "b"), ("b", "source of a")], "a overrides b overrides a"),
        (&[("a", "b"), ("b", "c"), ("c", "a")], "a overrides b overrides c overrides a"),
        (&[("a", "b"), ("b", "c"), ("c", "b")], "b overrides c overrides b"),
    ];
    for (overrides, circle) in cases {
        let entry = |(name, other): &(&str, &str)| {
            format!(
                "[[places]]\nsource = \"source of {name}\"\nids = \"{name}\"\nfiles = [\"{name}.csv\"]\n\
                 overrides = [\"{other}\"]\n"
            )
        };
        let project = overrides.iter().fold(Project::new(), |project, (name, _)| {
            project.file(&format!("{name}.csv"), PLACE.replace("{}", name))
        });
        let outcome = project.list(&overrides.iter().map(entry).collect::<String>()).build();
        let reason = format!("release.toml: overrides form a cycle: {circle}; remove one of them");
        assert_eq!(outcome.error(), reason);
    }
}

#[test]
fn known_gaps_of_all_sources_are_in_the_provenance() {
    let entry = |name: &str, gap: &str| {
        format!(
            "[[displays]]\nsource = \"{name}\"\nvintage = 2026-07-01\nfiles = [\"{name}.csv\"]\n\
             unmeasured = \"keep\"\nknown_gaps = [\"{gap}\"]\n"
        )
    };
    let project = Project::new().file("one.csv", DISPLAY).file("other.csv", DISPLAY.replace("7,", "8,"));
    let outcome = project.list(&(entry("one", "no rates") + &entry("other", "no sizes"))).build();
    let provenance = outcome.release().manifest().provenance(Figures::Inventory).expect("a provenance");
    assert_eq!(provenance.known_gaps, ["no rates", "no sizes"]);
}
