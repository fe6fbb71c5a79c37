//! Writes the places of a release. The same places give the same bytes, in whatever order they come.

use std::collections::BTreeMap;
use std::path::Path;

use zerocopy::little_endian::{F64, U32, U64};

use super::column::numbers_of;
use super::place_id::place_type_id;
use super::text::fold;
use super::{NONE, Place, PlaceId, PlaceRow};
use crate::file::FileWriter;
use crate::morton::Morton;
use crate::vocabulary::{Postings, Vocabulary};
use crate::{GeographyIndex, Position};

/// A place that is to be written; its fields are those of [`Place`].
#[derive(Clone, Debug, PartialEq)]
pub struct NewPlace {
    pub id: PlaceId,
    pub name: String,
    pub brand: String,
    pub place_type: String,
    pub street_address: String,
    pub city: String,
    pub state: String,
    pub zip_code: String,
    pub latitude: f64,
    pub longitude: f64,
    pub published_date: String,
    pub county: Option<GeographyIndex>,
    pub cbsa: Option<GeographyIndex>,
    pub dma: Option<GeographyIndex>,
    pub zip: Option<GeographyIndex>,
}

impl From<Place<'_>> for NewPlace {
    fn from(place: Place<'_>) -> Self {
        Self {
            id: place.id,
            name: place.name.to_owned(),
            brand: place.brand.to_owned(),
            place_type: place.place_type.to_owned(),
            street_address: place.street_address.to_owned(),
            city: place.city.to_owned(),
            state: place.state.to_owned(),
            zip_code: place.zip_code.to_owned(),
            latitude: place.latitude,
            longitude: place.longitude,
            published_date: place.published_date.to_owned(),
            county: place.county,
            cbsa: place.cbsa,
            dma: place.dma,
            zip: place.zip,
        }
    }
}

/// Writes places and returns how many rows of each kind there are. The names of geographies are asked for to sort by.
///
/// # Errors
///
/// When two places have the same id, or two types of places, or the file cannot be written.
pub fn write(
    places: Vec<NewPlace>,
    names: &dyn Fn(GeographyIndex) -> String,
    path: &Path,
) -> Result<BTreeMap<String, u64>, String> {
    let (places, folded_names) = in_order(places)?;
    let mut file = FileWriter::default();
    write_rows(&mut file, &places);
    Vocabulary::write_words(&mut file, "word", &folded_names);
    let types = folded(&places, |place| &place.place_type);
    let types = write_column(&mut file, "type", &types);
    file.rows("type.ids", &type_ids(&types)?);
    write_column(&mut file, "city", &folded(&places, |place| &place.city));
    write_column(&mut file, "state", &folded(&places, |place| &place.state));
    write_column(&mut file, "zip", &folded(&places, |place| &place.zip_code));
    write_dmas(&mut file, &places);
    let streets = folded(&places, |place| &place.street_address);
    file.texts("street", texts(&streets));
    write_ids(&mut file, &places);
    file.rows("rank.name", &Ranked::new(texts(&folded_names)).numbers);
    file.rows("rank.street", &Ranked::new(texts(&streets)).numbers);
    file.rows("rank.dma", &name_ranks(&places, names, |place| place.dma));
    file.rows("rank.county", &name_ranks(&places, names, |place| place.county));
    file.rows("rank.cbsa", &name_ranks(&places, names, |place| place.cbsa));
    let position = |place: &NewPlace| Position { latitude: place.latitude, longitude: place.longitude };
    Morton::write(&mut file, "points", (0..).zip(places.iter().map(position)));
    file.write(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let count = |count: usize| count as u64;
    Ok([("places", count(places.len())), ("place_types", count(types.len()))]
        .map(|(kind, rows)| (kind.to_owned(), rows))
        .into())
}

/// Values in ascending order, and the position of each text's among them.
struct Ranked<T> {
    values: Vec<T>,
    numbers: Vec<U32>,
}

impl<T: Ord + Copy> Ranked<T> {
    fn new(of: impl IntoIterator<Item = T>) -> Self {
        let of: Vec<T> = of.into_iter().collect();
        let mut values = of.clone();
        values.sort_unstable();
        values.dedup();
        let position = |value| number(values.binary_search(value).expect("every value is among them"));
        let numbers = of.iter().map(position).collect();
        Self { values, numbers }
    }
}

/// Puts places in the default order of a search, next to their folded names.
fn in_order(mut places: Vec<NewPlace>) -> Result<(Vec<NewPlace>, Vec<String>), String> {
    places.sort_by_cached_key(|place| (fold(&place.name), place.id));
    let mut by_id: Vec<&NewPlace> = places.iter().collect();
    by_id.sort_by_key(|place| place.id);
    if let Some([one, other]) = by_id.array_windows().find(|[one, other]| one.id == other.id) {
        let NewPlace { id, name, street_address, zip_code, .. } = other;
        let reason = "one name at one street address and ZIP code is one place: name them apart or leave one out";
        return Err(format!(
            "place_id {id}: \"{}, {}, {}\" and \"{name}, {street_address}, {zip_code}\" have the same; {reason}",
            one.name, one.street_address, one.zip_code
        ));
    }
    let folded_names = folded(&places, |place| &place.name);
    Ok((places, folded_names))
}

fn folded(places: &[NewPlace], text: impl Fn(&NewPlace) -> &String) -> Vec<String> {
    places.iter().map(|place| fold(text(place))).collect()
}

fn texts(of: &[String]) -> impl Iterator<Item = &str> {
    of.iter().map(String::as_str)
}

/// Writes what is shown of the places.
fn write_rows(file: &mut FileWriter, places: &[NewPlace]) {
    let Ranked { values, numbers } = Ranked::new(places.iter().flat_map(shown));
    let position = |geography: Option<GeographyIndex>| U32::new(geography.map_or(NONE, GeographyIndex::raw));
    let (texts, _) = numbers.as_chunks();
    let rows = places.iter().zip(texts).map(|(place, texts)| {
        let [name, brand, place_type, street_address, city, state, zip_code, published_date] = *texts;
        PlaceRow {
            id: U64::new(place.id.raw()),
            latitude: F64::new(place.latitude),
            longitude: F64::new(place.longitude),
            name,
            brand,
            place_type,
            street_address,
            city,
            state,
            zip_code,
            published_date,
            county: position(place.county),
            cbsa: position(place.cbsa),
            dma: position(place.dma),
            zip: position(place.zip),
        }
    });
    file.rows("place", &rows.collect::<Vec<PlaceRow>>());
    file.texts("text", values);
}

fn shown(place: &NewPlace) -> [&str; 8] {
    let NewPlace { name, brand, place_type, street_address, city, state, zip_code, published_date, .. } = place;
    [name, brand, place_type, street_address, city, state, zip_code, published_date].map(String::as_str)
}

/// Writes a field of which each place has a value, and returns the values.
fn write_column<'a>(file: &mut FileWriter, section: &str, folded: &'a [String]) -> Vec<&'a str> {
    let Ranked { values, numbers } = Ranked::new(texts(folded));
    let mut places = vec![Vec::new(); values.len()];
    for (place, value) in numbers.iter().enumerate() {
        places[value.get() as usize].push(number(place));
    }
    file.texts(section, values.iter().copied());
    Postings::write(file, section, &places);
    file.rows(&numbers_of(section), &numbers);
    values
}

/// Writes the television markets that places lie in.
fn write_dmas(file: &mut FileWriter, places: &[NewPlace]) {
    let mut dmas: BTreeMap<GeographyIndex, Vec<U32>> = BTreeMap::new();
    for (place, NewPlace { dma, .. }) in places.iter().enumerate() {
        if let Some(dma) = dma {
            dmas.entry(*dma).or_default().push(number(place));
        }
    }
    file.rows("dma", &dmas.keys().map(|dma| U32::new(dma.raw())).collect::<Vec<U32>>());
    Postings::write(file, "dma", dmas.values());
}

/// Writes the order of the ids.
fn write_ids(file: &mut FileWriter, places: &[NewPlace]) {
    let ranks = Ranked::new(places.iter().map(|place| place.id)).numbers;
    let mut by_id = vec![U32::new(0); places.len()];
    for (place, rank) in ranks.iter().enumerate() {
        by_id[rank.get() as usize] = number(place);
    }
    file.rows("order.id", &by_id);
    file.rows("rank.id", &ranks);
}

/// Ranks places by the names of geographies of theirs.
fn name_ranks(
    places: &[NewPlace],
    names: &dyn Fn(GeographyIndex) -> String,
    of: impl Fn(&NewPlace) -> Option<GeographyIndex>,
) -> Vec<U32> {
    let mut known: BTreeMap<GeographyIndex, String> = BTreeMap::new();
    for geography in places.iter().filter_map(&of) {
        known.entry(geography).or_insert_with(|| fold(&names(geography)));
    }
    let name = |place| of(place).map_or("", |geography| known[&geography].as_str());
    Ranked::new(places.iter().map(name)).numbers
}

fn type_ids(folded_names: &[&str]) -> Result<Vec<U32>, String> {
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    let mut ids = Vec::new();
    for name in folded_names {
        let id = place_type_id(name);
        if let Some(other) = names.insert(id, name) {
            return Err(format!("place_type_id {id}: \"{other}\" and \"{name}\" have the same; rename one of them"));
        }
        ids.push(U32::new(id));
    }
    Ok(ids)
}

fn number(of: usize) -> U32 {
    U32::new(u32::try_from(of).expect("fewer than four thousand million places"))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::Places;
    use crate::file::SectionFile;

    fn place(name: &str, street_address: &str) -> NewPlace {
        NewPlace {
            id: PlaceId::of(name, street_address, "99501"),
            name: name.to_owned(),
            brand: String::new(),
            place_type: "Coffee Shop".to_owned(),
            street_address: street_address.to_owned(),
            city: "Anchorage".to_owned(),
            state: "AK".to_owned(),
            zip_code: "99501".to_owned(),
            latitude: 61.25,
            longitude: -149.5,
            published_date: "2024-11-30".to_owned(),
            county: Some(GeographyIndex::from_raw(3)),
            cbsa: None,
            dma: Some(GeographyIndex::from_raw(0)),
            zip: Some(GeographyIndex::from_raw(7)),
        }
    }

    fn name(geography: GeographyIndex) -> String {
        format!("Area {}", geography.raw() % 2)
    }

    fn file(of: &str) -> PathBuf {
        std::env::temp_dir().join(format!("dataset-writer-{}-{of}", std::process::id()))
    }

    #[test]
    fn what_is_read_and_written_again_is_the_same_file() {
        let (first, second) = (file("first"), file("second"));
        let places = vec![
            place("Starbucks", "2 Main St"),
            place("Café", "1 Main St"),
            NewPlace { dma: None, place_type: "COFFEE SHOP".to_owned(), ..place("starbucks", "1 Main St") },
        ];
        write(places.clone(), &name, &first).unwrap();
        let mut copies = Places::from_file(&SectionFile::open(&first).unwrap()).unwrap().to_new();
        assert_eq!(copies.len(), 3);
        assert!(places.iter().all(|place| copies.contains(place)));
        copies.reverse();
        write(copies, &name, &second).unwrap();
        assert!(std::fs::read(&first).unwrap() == std::fs::read(&second).unwrap());
        for path in [first, second] {
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn two_places_of_one_id_are_refused_in_either_order() {
        let path = file("twice");
        let (one, other) = (place("Starbucks", "1 Main St"), place("STARBUCKS", "1 main st"));
        for places in [vec![one.clone(), other.clone()], vec![other, one]] {
            let error = write(places, &name, &path).unwrap_err();
            assert!(error.contains("Starbucks, 1 Main St, 99501") && error.contains("STARBUCKS, 1 main st, 99501"));
        }
        assert!(!path.exists());
    }

    #[test]
    fn two_types_of_one_id_are_refused() {
        let numbers = (0_u32..).map(|number| format!("type {number}"));
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        let twice = numbers.clone().find_map(|name| Some([names.insert(place_type_id(&name), name.clone())?, name]));
        let twice = twice.unwrap();
        let error = type_ids(&texts(&twice).collect::<Vec<&str>>()).unwrap_err();
        assert!(error.starts_with("place_type_id ") && error.ends_with("have the same; rename one of them"), "{error}");
        let few: Vec<String> = numbers.take(5).collect();
        let ids = type_ids(&texts(&few).collect::<Vec<&str>>()).unwrap();
        assert!(ids.iter().all(|id| (100_000_000..1_000_000_000).contains(&id.get())));
    }
}
