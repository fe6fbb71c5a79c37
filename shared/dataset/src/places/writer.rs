//! Writes a release's places. The output doesn't depend on the order of the input.

use std::collections::BTreeMap;
use std::path::Path;

use thiserror::Error;
use zerocopy::little_endian::{F64, U32, U64};

use super::areas::Areas;
use super::id::{PlaceId, place_type_id};
use super::place::NewPlace;
use super::row::{NONE, PlaceRow};
use crate::geographies::GeographyIndex;
use crate::index::{
    ColumnWriter, Indexing, Normalization, Ordinals, SortedColumn, Words, ZOrder, normalize, ordinals_of,
};
use crate::record_sources::RecordSourcesWriter;
use crate::release::file::FileWriter;
use crate::release::{Part, RowCounts, WriteError};

/// The reason why places can't be written.
#[derive(Debug, Error)]
pub enum PlacesWriteError {
    #[error(
        "place_id {id}: \"{one}\" and \"{other}\" have the same id, which is derived from the name, street \
         address, and ZIP code; rename or remove one of them"
    )]
    SameId {
        id: PlaceId,
        /// The name, street address, and ZIP code of the first place.
        one: String,
        other: String,
    },
    #[error("place_type_id {id}: \"{one}\" and \"{other}\" have the same id; rename one of them")]
    SameTypeId { id: u32, one: String, other: String },
    #[error(transparent)]
    File(#[from] WriteError),
}

/// Writes the [`Part::Places`] file to a folder. `names` returns the name of a geography, which is used to
/// sort places by area. Returns the numbers of places and place types.
///
/// # Errors
///
/// Returns an error if two places or two place types have the same ID, or if the file can't be written.
pub fn write(
    folder: &Path,
    places: Vec<NewPlace>,
    names: &dyn Fn(GeographyIndex) -> String,
) -> Result<RowCounts, PlacesWriteError> {
    let places = in_order(places)?;
    let normalized = |text: fn(&NewPlace) -> &String| {
        places.iter().map(|place| normalize(text(place))).collect::<Vec<_>>()
    };
    let (normalized_names, streets) =
        (normalized(|place| &place.name), normalized(|place| &place.street_address));
    let mut file = FileWriter::default();
    let types = write_column(&mut file, "type", &normalized(|place| &place.place_type));
    let type_ids = type_ids(&types)?;
    file.rows("type.ids", &type_ids);
    write_rows(&mut file, &places, types.numbers.iter().map(|number| type_ids[*number as usize - 1]));
    Words::write(&mut file, "name", normalized_names.iter().map(String::as_str));
    write_column(&mut file, "city", &normalized(|place| &place.city));
    write_column(&mut file, "state", &normalized(|place| &place.state));
    write_column(&mut file, "zip", &normalized(|place| &place.zip_code));
    write_brands(&mut file, &places);
    Areas::write(&mut file, "dma", &places.iter().map(|place| place.dma).collect::<Vec<_>>());
    Areas::write(&mut file, "county", &places.iter().map(|place| place.county).collect::<Vec<_>>());
    file.texts("street", streets.iter().map(String::as_str));
    write_ids(&mut file, &places);
    write_ranks(&mut file, "rank.name", &normalized_names);
    write_ranks(&mut file, "rank.street", &streets);
    write_ranks(&mut file, "rank.dma", &normalized_areas(&places, names, |place| place.dma));
    write_ranks(&mut file, "rank.county", &normalized_areas(&places, names, |place| place.county));
    write_ranks(&mut file, "rank.cbsa", &normalized_areas(&places, names, |place| place.cbsa));
    ZOrder::write(&mut file, "points", (0..).zip(places.iter().map(|place| place.position)));
    let mut sources = RecordSourcesWriter::default();
    places.iter().for_each(|place| sources.push(&place.source));
    sources.write(&mut file, (0..).take(places.len()));
    file.write_part(folder, Part::Places)?;
    let counts = [("places", places.len()), ("place_types", types.texts.len())];
    Ok(counts.map(|(kind, count)| (kind.to_owned(), count as u64)).into())
}

/// Sorts places into the default order of search results. Returns an error if two places have the same ID.
fn in_order(mut places: Vec<NewPlace>) -> Result<Vec<NewPlace>, PlacesWriteError> {
    places.sort_by_cached_key(|place| (normalize(&place.name), place.id));
    let mut by_id: Vec<&NewPlace> = places.iter().collect();
    by_id.sort_by_key(|place| place.id);
    if let Some([one, other]) = by_id.array_windows().find(|[one, other]| one.id == other.id) {
        let shown =
            |place: &NewPlace| format!("{}, {}, {}", place.name, place.street_address, place.zip_code);
        return Err(PlacesWriteError::SameId { id: one.id, one: shown(one), other: shown(other) });
    }
    Ok(places)
}

/// Writes each place's row, and the strings that the rows refer to.
fn write_rows(file: &mut FileWriter, places: &[NewPlace], type_ids: impl Iterator<Item = U32>) {
    let SortedColumn { texts: values, numbers, .. } = sorted(places.iter().flat_map(shown));
    let position = |geography: Option<GeographyIndex>| U32::new(geography.map_or(NONE, GeographyIndex::raw));
    let (texts, _) = numbers.as_chunks();
    let rows = places.iter().zip(texts).zip(type_ids).map(|((place, texts), place_type_id)| PlaceRow {
        id: U64::new(place.id.raw()),
        latitude: F64::new(place.position.latitude),
        longitude: F64::new(place.position.longitude),
        place_type_id,
        texts: texts.map(|number| U32::new(number - 1)),
        geographies: [place.county, place.cbsa, place.dma, place.zip].map(position),
    });
    file.rows("place", &rows.collect::<Vec<PlaceRow>>());
    file.texts("text", values.iter());
}

fn shown(place: &NewPlace) -> [&str; 9] {
    let NewPlace {
        name,
        brand,
        place_type,
        street_address,
        city,
        state,
        zip_code,
        published_date,
        register_id,
        ..
    } = place;
    [name, brand, place_type, street_address, city, state, zip_code, published_date, register_id]
        .map(String::as_str)
}

/// Sorts and deduplicates strings.
fn sorted<'a>(texts: impl Iterator<Item = &'a str>) -> SortedColumn {
    let mut column = ColumnWriter::default();
    texts.for_each(|text| column.push(Some(text)));
    column.sorted_as_is(Normalization::AsIs)
}

/// Writes the column of a field that's set for every place, and returns the sorted column.
fn write_column(file: &mut FileWriter, section: &str, normalized: &[String]) -> SortedColumn {
    let column = sorted(normalized.iter().map(String::as_str));
    column.write(file, section, Indexing::Filtered);
    column
}

/// Writes the column of brands. Places without a brand don't have a value.
fn write_brands(file: &mut FileWriter, places: &[NewPlace]) {
    let mut column = ColumnWriter::default();
    for brand in places.iter().map(|place| normalize(&place.brand)) {
        column.push(Some(brand.as_str()).filter(|brand| !brand.is_empty()));
    }
    column.sorted_as_is(Normalization::AsIs).write(file, "brand", Indexing::Filtered);
}

/// Writes the positions of the places, sorted by ID, and each place's rank in this order.
fn write_ids(file: &mut FileWriter, places: &[NewPlace]) {
    let mut by_id: Vec<u32> = (0..).take(places.len()).collect();
    by_id.sort_unstable_by_key(|place| places[*place as usize].id);
    let ranks = ordinals_of(&by_id);
    for (section, numbers) in [("order.id", by_id), ("rank.id", ranks)] {
        file.rows(section, &numbers.into_iter().map(U32::new).collect::<Vec<U32>>());
    }
}

/// Writes the rank of each place's string among the distinct strings.
fn write_ranks(file: &mut FileWriter, section: &str, normalized: &[String]) {
    let SortedColumn { texts, numbers, .. } = sorted(normalized.iter().map(String::as_str));
    Ordinals::write(file, section, &numbers, texts.len());
}

/// Returns the normalized name of each place's geography, or an empty string if the geography is unknown.
fn normalized_areas(
    places: &[NewPlace],
    names: &dyn Fn(GeographyIndex) -> String,
    of: impl Fn(&NewPlace) -> Option<GeographyIndex>,
) -> Vec<String> {
    let mut known: BTreeMap<GeographyIndex, String> = BTreeMap::new();
    for geography in places.iter().filter_map(&of) {
        known.entry(geography).or_insert_with(|| normalize(&names(geography)));
    }
    places
        .iter()
        .map(|place| of(place).map_or_else(String::new, |geography| known[&geography].clone()))
        .collect()
}

fn type_ids(types: &SortedColumn) -> Result<Vec<U32>, PlacesWriteError> {
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    let mut ids = Vec::new();
    for name in types.texts.iter() {
        let id = place_type_id(name);
        if let Some(other) = names.insert(id, name) {
            return Err(PlacesWriteError::SameTypeId { id, one: other.to_owned(), other: name.to_owned() });
        }
        ids.push(U32::new(id));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::table::Places;
    use super::*;
    use crate::RecordSource;
    use crate::position::Position;

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
            position: Position { latitude: 61.25, longitude: -149.5 },
            published_date: "2024-11-30".to_owned(),
            register_id: String::new(),
            county: Some(GeographyIndex::from_raw(3)),
            cbsa: None,
            dma: Some(GeographyIndex::from_raw(0)),
            zip: Some(GeographyIndex::from_raw(7)),
            source: RecordSource { name: "Example Coffee".to_owned(), vintage: "2024-11-30".to_owned() },
        }
    }

    fn name(geography: GeographyIndex) -> String {
        format!("Area {}", geography.raw() % 2)
    }

    fn folder(of: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("dataset-writer-{}-{of}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn rewriting_a_read_file_gives_the_same_bytes() {
        let (first, second) = (folder("first"), folder("second"));
        let file = |folder: &Path| folder.join(Part::Places.file());
        let places = vec![
            place("Starbucks", "2 Main St"),
            place("Café", "1 Main St"),
            NewPlace { dma: None, place_type: "COFFEE SHOP".to_owned(), ..place("starbucks", "1 Main St") },
        ];
        write(&first, places.clone(), &name).unwrap();
        let mut copies = Places::open_file(&file(&first)).unwrap().to_new();
        assert_eq!(copies.len(), 3);
        assert!(places.iter().all(|place| copies.contains(place)));
        copies.reverse();
        write(&second, copies, &name).unwrap();
        assert!(std::fs::read(file(&first)).unwrap() == std::fs::read(file(&second)).unwrap());
        for folder in [first, second] {
            std::fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn rejects_two_places_with_the_same_id_in_either_order() {
        let folder = folder("twice");
        let (one, other) = (place("Starbucks", "1 Main St"), place("STARBUCKS", "1 main st"));
        for places in [vec![one.clone(), other.clone()], vec![other, one]] {
            let error = write(&folder, places, &name).unwrap_err().to_string();
            assert!(
                error.contains("Starbucks, 1 Main St, 99501")
                    && error.contains("STARBUCKS, 1 main st, 99501")
            );
        }
        assert!(!folder.join(Part::Places.file()).exists());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn rejects_two_types_with_the_same_id() {
        let numbers = (0_u32..).map(|number| format!("type {number}"));
        let mut names: BTreeMap<u32, String> = BTreeMap::new();
        let twice =
            numbers.clone().find_map(|name| Some([names.insert(place_type_id(&name), name.clone())?, name]));
        let twice = twice.unwrap();
        let types = |names: &[String]| sorted(names.iter().map(String::as_str));
        let error = type_ids(&types(&twice)).unwrap_err().to_string();
        assert!(
            error.starts_with("place_type_id ") && error.ends_with("have the same id; rename one of them"),
            "{error}"
        );
        let few: Vec<String> = numbers.take(5).collect();
        let ids = type_ids(&types(&few)).unwrap();
        assert!(ids.iter().all(|id| (100_000_000..1_000_000_000).contains(&id.get())));
    }
}
