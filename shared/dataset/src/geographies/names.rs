//! Finds areas by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use strum::VariantArray;

use super::aliases::ALIASES;
use super::geography::{Geography, GeographyIndex};
use super::id::{GeographyId, GeographyType};
use super::states::state_forms;
use super::table::Geographies;
use crate::index::{normalize, split_words};

/// The suffixes of county names. A search finds a county with or without the suffix.
const COUNTY_SUFFIXES: [&str; 9] = [
    " County",
    " Parish",
    " City and Borough",
    " Borough",
    " Census Area",
    " Municipality",
    " Municipio",
    " Planning Region",
    " city",
];

/// The maximum number of suggestions for an unknown name.
const SUGGESTED: usize = 3;

/// A suggestion differs from the unknown name by at most one letter for every `LETTERS_PER_TYPO` letters in
/// the name, unless it contains the whole name.
const LETTERS_PER_TYPO: usize = 3;

/// A kind of area that can be found by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum AreaKind {
    /// A metropolitan or micropolitan area.
    Cbsa,
    /// A county or its equivalent.
    County,
    /// A television market.
    Dma,
    /// A state or the District of Columbia.
    State,
}

/// An index of the areas in a release by name, including common names.
///
/// Counties are listed with and without the state, and with and without `County` or a similar suffix. States
/// are listed by name and by two-letter abbreviation. Lookups ignore case, accents, punctuation, and extra
/// spaces.
#[derive(Debug)]
pub struct AreaNames {
    geographies: Geographies,
    /// For each kind, a map from the [`key`] of a name to the areas with that name. Each map is built when a
    /// name of its kind is first looked up.
    areas: [OnceLock<BTreeMap<String, Vec<GeographyIndex>>>; AreaKind::VARIANTS.len()],
}

impl AreaKind {
    /// Returns the name of the kind, as used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cbsa => "metropolitan or micropolitan area (CBSA)",
            Self::County => "county",
            Self::Dma => "TV market (DMA)",
            Self::State => "state",
        }
    }

    /// Returns the API call that lists all areas of the kind.
    pub const fn list(self) -> &'static str {
        match self {
            Self::Cbsa => "GET /v2/markets?geography_type=CBSA",
            Self::County => "GET /v2/markets?geography_type=COUNTY",
            Self::Dma => "GET /v2/markets?geography_type=DMA",
            Self::State => "GET /v2/markets?geography_type=STATE",
        }
    }

    const fn types(self) -> &'static [GeographyType] {
        match self {
            Self::Cbsa => &[GeographyType::Msa, GeographyType::Micropolitan],
            Self::County => &[GeographyType::County],
            Self::Dma => &[GeographyType::Dma],
            Self::State => &[GeographyType::State],
        }
    }
}

impl AreaNames {
    pub fn new(geographies: &Geographies) -> Self {
        Self { geographies: geographies.clone(), areas: Default::default() }
    }

    /// Returns all areas of a kind with the given name. The slice is empty if the name is unknown.
    pub fn find(&self, kind: AreaKind, name: &str) -> &[GeographyIndex] {
        self.of(kind).get(&key(name)).map_or(&[], Vec::as_slice)
    }

    /// Returns the names of up to three areas to suggest for an unknown name. Names that contain it as whole
    /// words come first, followed by the names with the most similar spelling.
    pub fn nearest(&self, kind: AreaKind, name: &str) -> Vec<&str> {
        let key = key(name);
        let limit = key.len() / LETTERS_PER_TYPO;
        let whole = format!(" {key} ");
        let rank = |known: &str| {
            let contains = format!(" {known} ").contains(&whole);
            let may_be_similar = contains || known.len().abs_diff(key.len()) <= limit;
            let distance = may_be_similar.then(|| strsim::osa_distance(known, &key))?;
            (contains || distance <= limit).then_some((!contains, distance))
        };
        let ranked = self.of(kind).iter().filter_map(|(known, areas)| Some((rank(known)?, areas)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let mut nearest = Vec::new();
        for area in ranked.into_iter().flat_map(|(_, areas)| areas) {
            let name = self.geographies.get(*area).name;
            if nearest.len() < SUGGESTED && !nearest.contains(&name) {
                nearest.push(name);
            }
        }
        nearest
    }

    fn of(&self, kind: AreaKind) -> &BTreeMap<String, Vec<GeographyIndex>> {
        self.areas[kind as usize].get_or_init(|| collect(&self.geographies, kind))
    }
}

fn collect(geographies: &Geographies, kind: AreaKind) -> BTreeMap<String, Vec<GeographyIndex>> {
    let mut areas: BTreeMap<String, Vec<GeographyIndex>> = BTreeMap::new();
    for area in kind.types().iter().flat_map(|one| geographies.of_type(*one)) {
        for key in keys(&geographies.get(area)) {
            areas.entry(key).or_default().push(area);
        }
    }
    for (alias, of_type, codes) in ALIASES.iter().filter(|(_, of_type, _)| kind.types().contains(of_type)) {
        let found = codes.iter().filter_map(|code| geographies.find(&GeographyId::new(*of_type, *code)));
        areas.entry((*alias).to_owned()).or_default().extend(found);
    }
    // A release might not contain the areas that an alias refers to.
    areas.retain(|_, found| !found.is_empty());
    areas
}

/// Returns the distinct keys of an area's names.
fn keys(area: &Geography<'_>) -> BTreeSet<String> {
    let mut names = vec![area.name.to_owned()];
    match area.id.geography_type() {
        GeographyType::County => {
            let (name, state) = area.name.rsplit_once(", ").unwrap_or((area.name, ""));
            let short = COUNTY_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
            names.extend([name.to_owned(), short.to_owned(), format!("{short}, {state}")]);
        }
        GeographyType::State => {
            names.extend(state_forms(&normalize(area.name)).into_iter().map(str::to_owned));
        }
        _ => {}
    }
    names.iter().map(|name| key(name)).collect()
}

/// Returns the key of a name, which consists of its normalized words, separated by single spaces. Periods
/// don't separate words, so `D.C.` and `DC` have the same key.
fn key(name: &str) -> String {
    split_words(&normalize(name).replace('.', "")).join(" ")
}
