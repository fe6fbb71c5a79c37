//! What is worth knowing of files that are imported nevertheless.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dataset::normalize;
use dataset::places::NewPlace;
use thiserror::Error;

use crate::rows::{RowReader, Windows1252, quoted};

/// Something worth knowing of a file that is imported nevertheless.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Notice {
    #[error(
        "{}: {} of its rows or lines are not UTF-8, the first of them {}; they were read as Windows-1252: \
         look at their accents",
        file.display(), lines.count, lines.first
    )]
    Windows1252 { file: PathBuf, lines: Windows1252 },
    #[error(
        "{} is a place type that the release did not have, of {places} places{}",
        quoted(name),
        nearest.as_deref().map_or_else(String::new, of_nearest)
    )]
    NewPlaceType { name: String, places: usize, nearest: Option<String> },
}

fn of_nearest(name: &str) -> String {
    format!("; the nearest that it has is {}", quoted(name))
}

impl Notice {
    /// Tells which rows of a file that was read were not UTF-8.
    pub(crate) fn of_encoding(source: &Path, file: &RowReader<'_>) -> Option<Self> {
        file.windows_1252().map(|lines| Self::Windows1252 { file: source.to_owned(), lines })
    }
}

/// Announces the types of places that a release did not have, each with the nearest of those that it has.
pub(crate) fn new_place_types<'a>(added: &[NewPlace], known: impl Iterator<Item = &'a str>) -> Vec<Notice> {
    let known: BTreeMap<String, &str> = known.map(|name| (normalize(name), name)).collect();
    let mut new: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    for place in added {
        let key = normalize(&place.place_type);
        if !known.contains_key(&key) {
            new.entry(key).or_insert((&place.place_type, 0)).1 += 1;
        }
    }
    let nearest = |key: &str| {
        let likeness = |other: &str| strsim::jaro_winkler(key, other);
        let nearest = known.iter().max_by(|(one, _), (other, _)| likeness(one).total_cmp(&likeness(other)));
        nearest.map(|(_, name)| (*name).to_owned())
    };
    let notice = |(key, (name, places)): (String, (&str, usize))| Notice::NewPlaceType {
        name: name.to_owned(),
        places,
        nearest: nearest(&key),
    };
    new.into_iter().map(notice).collect()
}
