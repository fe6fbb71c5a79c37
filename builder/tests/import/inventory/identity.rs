//! Which rows are the same spot, in one file and in two.

use builder::build::{About, Rejects};
use builder::columns::ColumnMap;
use builder::places::TARGETS as PLACES;
use dataset::RecordSource;

use super::{EMPTY, Imported, TARGETS, add_about, add_text};
use crate::{LOCATOR, example_source, file};

const MAP: &str = "[columns]\nspot_id = \"id\"\nplant_spot_id = \"plant\"\noperator = \"operator\"\n\
                   media_name = \"name\"\nlatitude = \"y\"\nlongitude = \"x\"";

fn csv(base: &dataset::Folder, rows: &[&str]) -> Imported {
    let text = format!("id,plant,operator,name,y,x\n{}\n", rows.join("\n"));
    add_text(base, "csv", text, Some(MAP)).unwrap_or_else(|(error, rejects)| panic!("{error}: {rejects:?}"))
}

#[test]
fn an_id_that_is_missing_follows_from_the_operator_and_its_own_id() {
    let rows = [
        ",A-1,Example Outdoor,one,40.7,-73.9",
        ",A-2,Example Outdoor,two,40.7,-73.9",
        ",A-1,Other,three,40.7,-73.9",
    ];
    let imported = csv(&EMPTY, &rows);
    let ids = imported.ids();
    assert!(ids.len() == 3 && ids.iter().all(|id| (10_000_000..100_000_000).contains(id)), "{ids:?}");
    assert_eq!(imported.summary.derived_ids, 3);

    let [one, two, three] = rows;
    let again = csv(&EMPTY, &[three, one, &two.replace("Example Outdoor", " EXAMPLE  outdoor ")]);
    assert_eq!(again.records().iter().map(|record| &record["spot_id"]).collect::<Vec<_>>(), ids);
    assert_eq!(ids, [28_296_374, 50_427_077, 98_911_016], "the same in every version of this program");
}

#[test]
fn a_row_takes_the_place_of_the_spot_that_is_the_same() {
    let base = csv(
        &EMPTY,
        &["77,B-1,Example Outdoor,with an id,40.7,-73.9", ",A-1,Example Outdoor,derived,40.7,-73.9"],
    );
    let (before, derived) = (base.ids(), base.ids()[1]);
    let imported = csv(
        &base.folder,
        &["77,,,new,40.7,-73.9", ",A-1,example outdoor,newer,40.7,-73.9", "78,,,third,40.7,-73.9"],
    );
    assert_eq!((imported.summary.replaced, imported.summary.accepted), (2, 3));
    assert_eq!(imported.ids(), [77, 78, before[1]]);
    let names: Vec<_> = imported.records().iter().map(|record| record["media_name"].clone()).collect();
    assert_eq!(names, ["new", "third", "newer"]);

    // What is not in the file stays; what came with an id is found by what it is, too.
    let imported = csv(&imported.folder, &[",A-9,Example Outdoor,fourth,40.7,-73.9"]);
    assert!(imported.ids().len() == 4 && imported.has(77) && imported.has(78) && imported.has(derived));
    let imported = csv(&base.folder, &[",B-1,Example Outdoor,no id this time,40.7,-73.9"]);
    assert_eq!((imported.summary.replaced, imported.ids()), (1, before));
}

#[test]
fn a_number_that_another_spot_has_is_passed_over() {
    let row = ",A-1,Example Outdoor,derived,40.7,-73.9";
    let id = csv(&EMPTY, &[row]).ids()[0];
    let others =
        [format!("{id},,,of the release,40.7,-73.9"), format!("{},,,of the file,40.7,-73.9", id + 1)];
    let base = csv(&EMPTY, &[&others[0]]);
    let imported = csv(&base.folder, &[&others[1], row]);
    assert_eq!(imported.ids(), [id, id + 1, id + 2]);
    let again = csv(&imported.folder, &[row]);
    assert_eq!((again.summary.replaced, again.ids()), (1, imported.ids()), "it keeps the number that it got");
}

#[test]
fn a_spot_comes_once_in_a_file() {
    let first = ",A-1,Example Outdoor,derived,40.7,-73.9";
    let id = csv(&EMPTY, &[first]).ids()[0];
    let taken = format!("{id},,,,40.7,-73.9");
    let imported = csv(
        &EMPTY,
        &[
            first,
            ",A-1,EXAMPLE OUTDOOR,,40.7,-73.9",
            "5,,,,40.7,-73.9",
            "5,,,,40.8,-73.9",
            &taken,
            ",,,,40.7,-73.9",
        ],
    );
    let derived = format!(
        "row 2 of the file has the spot_id {id}, which was derived for it: put it behind this row, or give it another \
         spot_id"
    );
    assert_eq!(
        imported.reasons(),
        [
            (3, "row 2 of the file has the same operator and plant_spot_id"),
            (5, "row 4 of the file has the same spot_id 5"),
            (6, derived.as_str()),
            (7, "spot_id and plant_spot_id are missing; one of them is needed"),
        ]
    );
}

#[test]
fn nothing_of_a_place_is_made_up() {
    let map = "[columns]\nplace_name = \"n\"\nplace_type = \"t\"\nlatitude = \"y\"\nlongitude = \"x\"\n\
               [modelled]\nvintage = 2026-08-02";
    let map = ColumnMap::parse(map, &PLACES).expect("a map");
    let source = file("csv", "n,t,y,x\nA,B,40.7,-73.9\n");
    let mut rejects = Rejects::beside_sources();
    let setup = builder::places::Setup {
        map: &map,
        locator: &LOCATOR,
        is_foreign: false,
        source: &example_source(),
        progress: &|_, _, _| {},
    };
    let error = builder::places::read(&[source], setup, [], &mut rejects).expect_err("a map of inventory");
    assert_eq!(error.to_string(), "modelled is for the import of inventory: nothing of a place is made up");
}

#[test]
fn a_spot_of_another_source_is_replaced_on_request_alone() {
    let text =
        |name: &str| format!("id,plant,operator,name,y,x\n,1,,{name},40.7,-73.9\n,2,,{name},40.7,-73.9\n");
    let map = ColumnMap::parse(MAP, &TARGETS).expect("a map");
    let import = |base: &dataset::Folder, name: &str, source: &str, replaces: bool| {
        let file = file("csv", text(name));
        let about = About { source: source.to_owned(), vintage: "2026-06-30".to_owned() };
        let imported = add_about(base, &file, Some(&map), &about, replaces, |import| import);
        std::fs::remove_file(file).expect("written");
        imported
    };
    let names = |imported: &Imported| -> Vec<String> {
        let name = |record: &serde_json::Value| record["media_name"].as_str().expect("a name").to_owned();
        imported.records().iter().map(name).collect()
    };
    let base = import(&EMPTY, "first", "Example Outdoor", false).expect("spots");
    let (error, rejects) =
        import(&base.folder, "other", "Other Outdoor", false).expect_err("another's spots");
    assert!(error.ends_with("no row was accepted, so no release was written"), "{error}");
    let ids = base.ids();
    for reject in &rejects {
        let (before, after) = reject.reason.split_once(" of the release ").expect("a spot");
        let id: u32 = before.strip_prefix("spot ").and_then(|id| id.parse().ok()).expect("an id");
        assert!(ids.contains(&id), "{}", reject.reason);
        assert_eq!(
            after,
            "has the same operator and plant_spot_id, and is of another source, \"Example Outdoor\": name the \
             operator, in a column or a constant of the map, or import with --replace"
        );
    }
    assert_eq!(rejects.len(), 2);
    let own = import(&base.folder, "again", "Example Outdoor", false).expect("its own spots");
    assert_eq!((own.summary.replaced, names(&own)), (2, vec!["again".to_owned(); 2]));
    let replaced = import(&base.folder, "other", "Other Outdoor", true).expect("spots");
    assert_eq!((replaced.summary.replaced, names(&replaced)), (2, vec!["other".to_owned(); 2]));
    let sources = |imported: &Imported| {
        let inventory = imported.inventory();
        inventory.sources_of(&inventory.indexes().collect::<Vec<_>>())
    };
    let other = RecordSource { name: "Other Outdoor".to_owned(), vintage: "2026-06-30".to_owned() };
    assert_eq!(sources(&replaced), [other]);

    // Of files that nobody says whose they are, none is another's own.
    let unnamed = import(&EMPTY, "first", About::UNNAMED, false).expect("spots");
    assert!(import(&unnamed.folder, "second", About::UNNAMED, false).is_err());
}
