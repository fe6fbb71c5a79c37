//! Tests monthly builds from a register: stable IDs, new IDs, and changes that stop a build.

use std::fs;

use builder::diff::compare;

use crate::{DISPLAYS, Outcome, Project};

const HEADER: &str = "plant_spot_id,media_type,operator,primary_artery,orientation,latitude,longitude";

/// Returns a register's rows, with one display in Chicago per number.
fn rows(numbers: std::ops::RangeInclusive<u32>, operator: &str) -> Vec<String> {
    let row =
        |number: u32| format!("{number},Bulletin,{operator},Road {number},90,41.{:04},-87.63", 8000 + number);
    numbers.map(row).collect()
}

/// Builds a release from a register and compares it with the previous month's release.
fn month(project: &Project, rows: &[String], before: Option<&Outcome>, accepted: &[&str]) -> Outcome {
    let text = format!("{HEADER}\n{}\n", rows.join("\n"));
    let project =
        project.clone().file("units.csv", text).list(&format!("{DISPLAYS}files = [\"units.csv\"]\n"));
    let accepted: Vec<String> = accepted.iter().map(|name| (*name).to_owned()).collect();
    project.build_against(before.map(Outcome::release), &accepted)
}

/// Returns the ID of the display on a road.
fn id(outcome: &Outcome, road: &str) -> u64 {
    let records = outcome.records();
    let record = records.iter().find(|record| record["location"]["primary_artery"] == road);
    record.unwrap_or_else(|| panic!("no display at {road}"))["spot_id"].as_u64().expect("an ID")
}

/// Returns the number of added, changed, and removed displays since the previous release.
fn changes(outcome: &Outcome) -> (u64, u64, u64) {
    let (_, difference) = outcome.built().report.difference.as_ref().expect("a comparison");
    let counts = difference.by_source().map(|source| (source.added, source.changed, source.removed));
    counts.fold((0, 0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2))
}

#[test]
fn register_keeps_its_ids_over_five_months() {
    let project = Project::new();
    let mut register = rows(1..=40, "Example Outdoor");
    let first = month(&project, &register, None, &[]);
    let of_road = |outcome: &Outcome, road: u32| id(outcome, &format!("Road {road}"));

    // Rows are added, and one display moves by 2 km.
    register.extend(rows(41..=42, "Example Outdoor"));
    register[4] = register[4].replace("-87.63", "-87.655");
    let second = month(&project, &register, Some(&first), &[]);
    assert_eq!(changes(&second), (2, 1, 0));
    assert_eq!(of_road(&second, 5), of_road(&first, 5));
    assert!(
        second
            .notices()
            .iter()
            .any(|notice| notice.to_string().contains("keep their IDs: 1, such as number \"5\""))
    );

    // The company is renamed.
    let renamed: Vec<String> =
        register.iter().map(|row| row.replace("Example Outdoor", "Renamed Outdoor")).collect();
    let third = month(&project, &renamed, Some(&second), &[]);
    assert_eq!(changes(&third), (0, 42, 0));

    // Three rows are missing, and the number of a fourth row now identifies a display in Indiana.
    let mut fourth_rows = renamed.clone();
    fourth_rows[19] = "20,Poster,Renamed Outdoor,Elsewhere,90,41.5,-86.2".to_owned();
    fourth_rows.drain(9..12);
    let fourth = month(&project, &fourth_rows, Some(&third), &[]);
    assert_eq!(changes(&fourth), (1, 0, 4));
    assert_ne!(id(&fourth, "Elsewhere"), of_road(&third, 20));
    assert!(
        fourth
            .notices()
            .iter()
            .any(|notice| notice.to_string().contains("which have new IDs: 1, such as \"20\""))
    );

    // The missing rows and the display whose number was reused reappear.
    let mut fifth_rows = renamed;
    fifth_rows.push(fourth_rows[16].clone());
    let fifth = month(&project, &fifth_rows, Some(&fourth), &[]);
    assert_eq!(changes(&fifth), (4, 0, 0));
    for road in 1..=42 {
        let before = if road > 40 { &second } else { &first };
        assert_eq!(of_road(&fifth, road), of_road(before, road), "{road}");
    }
    assert_eq!(id(&fifth, "Elsewhere"), id(&fourth, "Elsewhere"));
}

#[test]
fn faces_of_one_structure_have_ids_of_their_own_in_any_order() {
    let project = Project::new();
    let mut faces = vec![
        "7,Bulletin,Example,Road 7,90,41.8,-87.63".to_owned(),
        "7,Bulletin,Example,Road 7 west,270,41.8,-87.63".to_owned(),
    ];
    let first = month(&project, &faces, None, &[]);
    faces.reverse();
    let second = month(&project, &faces, Some(&first), &[]);
    assert_eq!(changes(&second), (0, 0, 0));
    let third = month(&project, &faces[..1], Some(&second), &["example"]);
    assert_eq!(id(&third, "Road 7 west"), id(&first, "Road 7 west"));
    let fourth = month(&project, &faces, Some(&third), &[]);
    assert_eq!(id(&fourth, "Road 7"), id(&first, "Road 7"));
}

#[test]
fn two_registers_can_count_from_one() {
    let project = Project::new();
    let entry = |name: &str| {
        format!(
            "[[displays]]\nsource = \"{name}\"\nvintage = 2026-06-30\nids = \"{name}\"\nunmeasured = \"keep\"\nfiles = [\"{name}.csv\"]\n"
        )
    };
    for name in ["one", "two"] {
        let rows = rows(1..=3, name).join("\n").replace("Road", name);
        fs::write(project.path(&format!("{name}.csv")), format!("{HEADER}\n{rows}\n")).expect("a file");
    }
    let built = project.clone().list(&(entry("one") + &entry("two"))).build();
    assert_eq!(built.records().len(), 6);
    let other_order = project.list(&(entry("two") + &entry("one"))).build();
    assert_eq!(other_order.ids(), built.ids());
}

#[test]
fn guards_stop_a_source_that_shrinks_moves_or_vanishes() {
    let project = Project::new();
    let register = rows(1..=40, "Example Outdoor");
    let first = month(&project, &register, None, &[]);
    let stopped = month(&project, &register[..31], Some(&first), &[]);
    assert!(
        stopped.error().contains("shrank by more than 20%, from 40 displays in test-"),
        "{}",
        stopped.error()
    );
    assert!(
        stopped.error().contains(" to 31; if this is correct, add --accept-changes \"example\""),
        "{}",
        stopped.error()
    );
    assert_eq!(changes(&month(&project, &register[..31], Some(&first), &["example"])), (0, 0, 9));
    assert_eq!(changes(&month(&project, &register[..32], Some(&first), &[])), (0, 0, 8));

    let moved: Vec<String> = register
        .iter()
        .enumerate()
        .map(|(at, row)| if at < 3 { row.replace("-87.63", "-87.655") } else { row.clone() })
        .collect();
    let stopped = month(&project, &moved, Some(&first), &[]);
    assert!(stopped.error().contains("Example Outdoor: 3 of 40 displays moved"), "{}", stopped.error());
    assert_eq!(changes(&month(&project, &moved[2..], Some(&first), &[])), (0, 1, 2));

    let unknown = month(&project, &register, Some(&first), &["other"]);
    assert!(unknown.error().contains("there is no source named \"other\""), "{}", unknown.error());
    let gone = project.clone().list("").build_against(Some(first.release()), &[]);
    assert!(gone.error().contains("shrank by more than 20%, from 40 displays in test-"), "{}", gone.error());
}

#[test]
fn missing_ids_and_collisions_never_change_ids_silently() {
    let project = Project::new();
    let register = rows(1..=3, "Example Outdoor");
    let first = month(&project, &register, None, &[]);
    let ids = project.path("ids/example.csv");
    let kept = fs::read_to_string(&ids).expect("assigned IDs");
    fs::remove_file(&ids).expect("a file");
    let refused = month(&project, &register, Some(&first), &[]);
    assert!(refused.error().contains("ids/example.csv is missing, but"), "{}", refused.error());
    assert!(!ids.exists());
    // Without a release to compare with, the numbers produce the same IDs again.
    let again = month(&project, &register, None, &[]);
    assert_eq!((again.ids(), fs::read_to_string(&ids).expect("assigned IDs")), (first.ids(), kept));
}

#[test]
fn builds_are_the_same_on_any_number_of_threads_and_with_or_without_the_cache() {
    let project = Project::new();
    let register = rows(1..=5_000, "Example Outdoor");
    let name = |outcome: &Outcome| outcome.release().manifest().name.clone();
    let first = name(&month(&project, &register, None, &[]));
    for threads in [1, 2, 8] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        // Use a new file name, which isn't in the cache.
        let text = format!("{HEADER}\n{}\n", register.join("\n"));
        let file = format!("units-{threads}.csv");
        let other = project.clone().file(&file, text).list(&format!("{DISPLAYS}files = [\"{file}\"]\n"));
        assert_eq!(pool.install(|| name(&other.build())), first, "{threads}");
        assert_eq!(pool.install(|| name(&other.build())), first, "{threads}, from the cache");
    }
}

#[test]
fn rejected_rows_of_a_cached_source_are_written_again() {
    let project = Project::new();
    let mut register = rows(1..=3, "Example Outdoor");
    register.push("4,Bulletin,Example Outdoor,Road 4,90,41.8,-187.63".to_owned());
    let first = month(&project, &register, None, &[]);
    assert_eq!(first.reasons(), [(5, "longitude -187.63 is not between -180 and 180 degrees")]);
    fs::remove_file(&first.files[0]).expect("a file");
    let again = month(&project, &register, None, &[]);
    assert_eq!((&again.rejects, &again.files), (&first.rejects, &first.files));

    // A lowered limit also applies to cached rejected rows.
    let entry = format!("{DISPLAYS}files = [\"units.csv\"]\nmax_rejects = 0\n");
    let stopped = project.list(&entry).build();
    assert!(stopped.error().contains("1 of 4 rows were rejected"), "{}", stopped.error());
}

#[test]
fn namespace_without_assigned_ids_is_not_taken_for_a_lost_one() {
    let project = Project::new().file("units.csv", "spot_id,latitude,longitude\n7,40.7,-73.9\n");
    let project = project.list(&format!("{DISPLAYS}files = [\"units.csv\"]\n"));
    let first = project.build();
    assert_eq!(changes(&project.build_against(Some(first.release()), &[])), (0, 0, 0));
}

#[test]
fn difference_counts_the_records_of_unchanged_sources() {
    let entry = |name: &str| {
        format!(
            "[[displays]]\nsource = \"{name}\"\nvintage = 2026-06-30\nunmeasured = \"keep\"\nfiles = [\"{name}.csv\"]\n"
        )
    };
    let rows = |ids: std::ops::RangeInclusive<u32>| {
        let rows: String = ids.map(|id| format!("{id},40.7,-73.9\n")).collect();
        format!("spot_id,latitude,longitude\n{rows}")
    };
    let project = Project::new().file("one.csv", rows(1..=30)).file("two.csv", rows(31..=60));
    let project = project.list(&(entry("one") + &entry("two")));
    let first = project.build();
    let second = project.file("two.csv", rows(31..=61)).build_against(Some(first.release()), &[]);
    let (_, difference) = second.built().report.difference.as_ref().expect("a comparison");
    let whole = compare(first.release(), second.release(), false, &|_, _, _| {}).expect("two releases");
    assert_eq!((difference, changes(&second)), (&whole, (1, 0, 0)));
}
