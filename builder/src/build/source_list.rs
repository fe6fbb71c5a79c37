//! Reads `release.toml`, which lists a release's sources. See docs/reference/sources.md.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use dataset::Figures;
use serde::Deserialize;
use toml::Value;

use super::entry::{SourceEntry, SourceName};
use super::error::SourceListError;
use super::max_rejects::MaxRejects;
use crate::columns::single;
use crate::dates::is_date;
use crate::diff::Kind;
use crate::sample::places;

/// The name of the public sample in `overrides`.
pub(super) const SAMPLE: &str = "sample";

/// The file name of the source list in the public sample's folder.
const SAMPLE_LIST: &str = "release.toml";

/// A release's sources, as listed in `release.toml`.
#[derive(Clone, Debug)]
pub struct SourceList {
    /// The first part of the release's name.
    pub label: String,
    /// The parts of the public sample that the release contains.
    pub sample: SampleParts,
    /// The sources of displays, places, and place measures, in this order. If the release contains the
    /// sample's displays, their sources come last.
    pub entries: Vec<SourceEntry>,
    /// The keys of the public sample's sources, including those that the release doesn't use.
    pub(super) sample_keys: Vec<String>,
}

/// The records of the public sample that a release contains. Every release contains the sample's geographies,
/// population, cohorts, and base map.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SampleParts {
    /// Whether the release contains the sample's places, with their modelled visits.
    pub places: bool,
    /// Whether the release contains the sample's displays.
    pub displays: bool,
}

/// The contents of `release.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFile {
    label: String,
    #[serde(default)]
    sample: SampleParts,
    #[serde(default)]
    displays: Vec<EntryFile>,
    #[serde(default)]
    places: Vec<EntryFile>,
    #[serde(default)]
    place_measures: Vec<EntryFile>,
}

/// An entry of `release.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFile {
    source: Option<String>,
    vintage: Option<Value>,
    files: Vec<String>,
    map: Option<PathBuf>,
    sheet: Option<String>,
    header_row: Option<NonZeroU64>,
    ids: Option<String>,
    #[serde(default)]
    overrides: Vec<String>,
    #[serde(default)]
    outside_us: bool,
    max_rejects: Option<Value>,
    unmeasured: Option<Unmeasured>,
    #[serde(default)]
    known_gaps: Vec<String>,
    licence: Option<String>,
    #[serde(default)]
    attribution: String,
}

/// How to treat displays whose measures are neither given nor modelled.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Unmeasured {
    Keep,
}

impl SourceList {
    /// Reads a list from a file. Paths in the list are relative to the file's folder. `data` is the public
    /// sample's folder, which contains the sample's own list of sources.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read, if an entry is invalid, if `files` doesn't match any file, if two
    /// entries of the same kind have the same name and namespace, if two entries name the same file and
    /// sheet, if `overrides` names an unknown source, or if entries override each other in a cycle.
    pub fn read(path: &Path, data: &Path) -> Result<Self, SourceListError> {
        let (mut list, sample) = (Self::parse(path)?, Self::parse(&data.join(SAMPLE_LIST))?);
        list.sample_keys = sample.entries.iter().map(|entry| entry.key().to_owned()).collect();
        if path.canonicalize().ok() == data.join(SAMPLE_LIST).canonicalize().ok() {
            list.entries.iter_mut().for_each(|entry| entry.is_sample = true);
        } else if list.sample.displays {
            let displays = sample.entries.into_iter().filter(|entry| entry.kind == Kind::Displays);
            list.entries.extend(displays.map(|entry| SourceEntry { is_sample: true, ..entry }));
        }
        list.check().map_err(in_list(path))?;
        Ok(list)
    }

    fn parse(path: &Path) -> Result<Self, SourceListError> {
        let text = fs::read_to_string(path).map_err(|error| in_list(path)(error.into()))?;
        Self::parse_text(&text, path.parent().unwrap_or(Path::new(""))).map_err(in_list(path))
    }

    fn parse_text(text: &str, folder: &Path) -> Result<Self, SourceListError> {
        let ListFile { label, sample, displays, places, place_measures } = toml::from_str(text)?;
        if !is_label(&label) {
            return Err(SourceListError::Label(label));
        }
        let kinds =
            [(Kind::Displays, displays), (Kind::Places, places), (Kind::PlaceMeasures, place_measures)];
        let mut entries = Vec::new();
        for (kind, files) in kinds {
            for file in files {
                entries.push(file.into_entry(kind, &label, folder)?);
            }
        }
        Ok(Self { label, sample, entries, sample_keys: Vec::new() })
    }

    fn check(&self) -> Result<(), SourceListError> {
        self.check_names()?;
        self.check_files()?;
        self.check_overrides()
    }

    /// Returns the entries of the given kind.
    pub fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &SourceEntry> {
        self.entries.iter().filter(move |entry| entry.kind == kind)
    }

    /// Returns whether a key identifies a source of the public sample.
    pub(super) fn is_of_sample(&self, key: &str) -> bool {
        key == Figures::ModelledMeasures.name()
            || places::SOURCES.iter().any(|source| source.name == key)
            || self.sample_keys.iter().any(|known| known == key)
    }

    /// Checks that no two entries of the same kind have the same name and namespace, because messages and
    /// guards couldn't distinguish them.
    fn check_names(&self) -> Result<(), SourceListError> {
        let mut seen = BTreeSet::new();
        for entry in &self.entries {
            if !seen.insert((entry.kind, entry.key(), &entry.name)) {
                return Err(SourceListError::SameName(entry.name.to_string()));
            }
        }
        Ok(())
    }

    fn check_files(&self) -> Result<(), SourceListError> {
        let mut seen = BTreeSet::new();
        for (entry, file) in
            self.entries.iter().flat_map(|entry| entry.files.iter().map(move |file| (entry, file)))
        {
            let path = file.canonicalize().unwrap_or_else(|_| file.clone());
            if !seen.insert((path, entry.sheet.clone())) {
                return Err(SourceListError::SameFile(file.clone()));
            }
        }
        Ok(())
    }

    fn check_overrides(&self) -> Result<(), SourceListError> {
        for entry in &self.entries {
            for name in &entry.overrides {
                let is_known = name == SAMPLE || self.of_kind(entry.kind).any(|other| other.is_named(name));
                if !is_known {
                    let known = self.of_kind(entry.kind).map(|other| other.key().to_owned()).collect();
                    return Err(SourceListError::UnknownOverride {
                        name: name.clone(),
                        of: entry.to_string(),
                        known,
                    });
                }
            }
            if let Some(cycle) = self.cycle(entry, &mut vec![entry]) {
                return Err(SourceListError::Cycle(cycle));
            }
        }
        Ok(())
    }

    /// Returns the keys of a cycle of entries in which each entry overrides the next one. The cycle starts
    /// with `path`, whose last entry is `last`. Returns `None` if no such cycle exists.
    fn cycle<'a>(&'a self, last: &'a SourceEntry, path: &mut Vec<&'a SourceEntry>) -> Option<Vec<String>> {
        let overridden = self.of_kind(last.kind).filter(|entry| last.overrides(entry));
        for next in overridden {
            if std::ptr::eq(next, path[0]) {
                return Some(path.iter().chain([&next]).map(|entry| entry.key().to_owned()).collect());
            }
            if !path.iter().any(|entry| std::ptr::eq(*entry, next)) {
                path.push(next);
                if let Some(cycle) = self.cycle(next, path) {
                    return Some(cycle);
                }
                path.pop();
            }
        }
        None
    }
}

impl EntryFile {
    fn into_entry(self, kind: Kind, label: &str, folder: &Path) -> Result<SourceEntry, SourceListError> {
        let name = match self.source {
            Some(name) => SourceName::new(&name)?,
            None if kind == Kind::PlaceMeasures => SourceName::new(&format!("place measures of {label}"))?,
            None => return Err(SourceListError::NoName(kind)),
        };
        if let Some(ids) = self.ids.as_deref().filter(|ids| !is_label(ids)) {
            return Err(SourceListError::Ids(ids.to_owned()));
        }
        let unfit = |member: &'static str, value: bool| {
            if value {
                Err(SourceListError::UnfitMember { member, kind, of: name.to_string() })
            } else {
                Ok(())
            }
        };
        if kind == Kind::PlaceMeasures {
            unfit("map", self.map.is_some())?;
            unfit("sheet", self.sheet.is_some())?;
            unfit("header_row", self.header_row.is_some())?;
            unfit("overrides", !self.overrides.is_empty())?;
            unfit("outside_us", self.outside_us)?;
        }
        if kind != Kind::Displays {
            unfit("unmeasured", self.unmeasured.is_some())?;
        }
        Ok(SourceEntry {
            kind,
            vintage: self.vintage.map(|vintage| day(&vintage)).transpose()?,
            files: files(&self.files, folder, &name)?,
            map: self.map.map(|map| folder.join(map)),
            sheet: self.sheet,
            header_row: self.header_row,
            ids: self.ids,
            ids_folder: folder.join("ids"),
            overrides: self.overrides,
            outside_us: self.outside_us,
            max_rejects: self.max_rejects.as_ref().map(MaxRejects::of_toml).transpose()?,
            keeps_unmeasured: self.unmeasured.is_some(),
            known_gaps: self.known_gaps,
            licence: self.licence.unwrap_or_else(|| "as agreed with the source".to_owned()),
            attribution: self.attribution,
            is_sample: false,
            name,
        })
    }
}

/// Returns a function that adds the list's path to an error.
fn in_list(list: &Path) -> impl Fn(SourceListError) -> SourceListError {
    |source| SourceListError::In { list: list.to_owned(), source: source.into() }
}

/// Returns the files that match any of the patterns, without duplicates, in the same order as the patterns.
/// The matches of each pattern are sorted. Files of rejected rows are included only if a pattern is their
/// exact path.
fn files(patterns: &[String], folder: &Path, of: &SourceName) -> Result<Vec<PathBuf>, SourceListError> {
    if patterns.is_empty() {
        return Err(SourceListError::NoFiles(of.to_string()));
    }
    let mut files = Vec::new();
    for pattern in patterns {
        let full = folder.join(pattern);
        let exact = full.is_file().then(|| full.clone());
        let found = match exact {
            Some(file) => vec![file],
            None => {
                let pattern_of = |source| SourceListError::Pattern { pattern: pattern.clone(), source };
                let paths = glob::glob(&full.to_string_lossy()).map_err(pattern_of)?;
                paths.filter_map(Result::ok).filter(|path| path.is_file() && !is_rejects(path)).collect()
            }
        };
        if found.is_empty() {
            return Err(SourceListError::NoMatch { pattern: pattern.clone(), of: of.to_string() });
        }
        files.extend(found.into_iter().filter(|file| !files.contains(file)).collect::<Vec<_>>());
    }
    Ok(files)
}

/// Returns whether a path has the name of a rejects file, such as `units.csv.rejects-2.csv`.
fn is_rejects(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    stem.rsplit_once(".rejects").is_some_and(|(_, number)| {
        number.is_empty() || number.strip_prefix('-').is_some_and(|number| number.parse::<u32>().is_ok())
    })
}

fn day(value: &Value) -> Result<String, SourceListError> {
    let text = single(value.clone()).unwrap_or_default();
    if is_date(&text) { Ok(text) } else { Err(SourceListError::Vintage(text)) }
}

/// Returns whether a string can be used in release and file names.
fn is_label(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
    (1..=60).contains(&text.len()) && text.bytes().all(allowed) && text.as_bytes()[0].is_ascii_alphanumeric()
}
