//! The manifest of a release, which contains the release's name, a digest of each file, and the provenance of
//! the figures.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use provenance::{Maturity, Provenance, RecordSource};
use ring::digest::{Context, SHA256, digest};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::error::{Fault, ReleaseError};

/// The file name of the manifest.
pub const MANIFEST: &str = "manifest.json";

/// The version of the release format. Releases with any other format version are rejected.
pub const FORMAT: u32 = 14;

/// The maximum size of a file in bytes (64 GiB). Programs allocate memory and disk space according to the
/// sizes in a manifest, so the sizes must be bounded.
const MAX_BYTES: u64 = 1 << 36;

/// The number of hexadecimal digits of the manifest's digest that a release name contains. 32 digits are 128
/// bits.
const DIGITS_IN_NAME: usize = 32;

/// A part of a release. Each part is stored in one file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", suffix = ".bin")]
pub enum Part {
    /// The nation, states, counties, television markets, ZIP codes, and other areas.
    Geographies,
    /// The cohorts and their population in each geography.
    Population,
    /// The places and their search index.
    Places,
    /// The visit records of places.
    Measures,
    /// The spots and their search index.
    Inventory,
    /// The number of measured spots in each geography.
    SpotCounts,
    /// The IDs of all displays, places, and cohorts.
    KnownIds,
    /// The surroundings and impressions of all displays.
    Exposures,
    /// The cohorts and their national population.
    NationalPopulation,
    /// The weekly visits to each place.
    Visits,
    /// The points and attributes of all measured spots, for map tiles.
    DisplayTiles,
    /// The points and attributes of all places, for map tiles.
    PlaceTiles,
    /// The tiles and the gazetteer of the base map.
    BaseMap,
}

impl Part {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Returns the file name of the part, such as `places.bin`.
    pub fn file(self) -> &'static str {
        self.into()
    }
}

/// A group of figures that share a provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figures {
    /// The names, positions, and populations of geographies.
    Geographies,
    /// The population of counties, and of areas that are made up of counties.
    CountyPopulation,
    /// The population of television markets.
    DmaPopulation,
    /// The ZIP code population.
    ZipPopulation,
    Places,
    /// The modelled visit records.
    ModelledMeasures,
    /// The visit records that an administrator loaded.
    LoadedMeasures,
    /// The spots in the inventory.
    Inventory,
}

impl Figures {
    /// Returns the name of the group for error messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Geographies => "geographies",
            Self::CountyPopulation => "county population, including areas made up of counties",
            Self::DmaPopulation => "DMA population",
            Self::ZipPopulation => "ZIP code population",
            Self::Places => "places",
            Self::ModelledMeasures => "modelled place measures",
            Self::LoadedMeasures => "loaded place measures",
            Self::Inventory => "inventory",
        }
    }
}

/// A data source that a release was built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The name of the data set.
    pub name: String,
    /// The date or period that the data describes.
    pub vintage: String,
    /// The license under which the data is published.
    pub licence: String,
    /// The attribution that the license requires, or an empty string.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub attribution: String,
    /// The namespace of the source's own record numbers, if it has one. Renaming the source doesn't change
    /// the namespace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<String>,
}

impl Source {
    /// Returns the key that identifies the source across releases: the namespace of its record numbers or, if
    /// there is none, its name.
    pub fn key(&self) -> &str {
        self.ids.as_deref().unwrap_or(&self.name)
    }
}

impl fmt::Display for Source {
    /// Formats the source as its name, followed by the namespace of its record numbers, if any.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.ids.iter().try_for_each(|ids| write!(f, " ({ids})"))
    }
}

/// The number of rows in a file, by kind of row.
pub type RowCounts = BTreeMap<String, u64>;

/// The manifest's entry for a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The SHA-256 digest, in lowercase hexadecimal.
    pub sha256: String,
    pub rows: RowCounts,
}

/// The contents of `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the release format. See [`FORMAT`].
    pub format: u32,
    /// The name of the release: a label, a hyphen, and the first 32 hexadecimal digits of a SHA-256 digest.
    /// The digest covers the label and all other members of the manifest.
    pub name: String,
    /// The lowest maturity of any figures in the release.
    pub maturity: Maturity,
    pub files: BTreeMap<Part, FileEntry>,
    /// The provenance of each group of figures.
    pub provenance: BTreeMap<Figures, Provenance>,
    /// The data sources that the release was built from.
    pub sources: Vec<Source>,
}

impl Manifest {
    /// Creates a manifest. The release name is derived from the label and from the contents of the manifest.
    pub fn new(
        label: &str,
        files: BTreeMap<Part, FileEntry>,
        provenance: BTreeMap<Figures, Provenance>,
        sources: Vec<Source>,
    ) -> Self {
        let maturity = provenance.values().map(|one| one.data_maturity).max().unwrap_or(Maturity::Production);
        Self { format: FORMAT, name: String::new(), maturity, files, provenance, sources }.named(label)
    }

    /// Parses a manifest and validates it.
    ///
    /// # Errors
    ///
    /// Returns an error if `text` isn't a manifest, or if the manifest has a different format version or an
    /// invalid name, lists a file that's too large, or was altered after it was named.
    pub fn parse(text: &[u8]) -> Result<Self, ReleaseError> {
        /// The only member that's the same in all format versions.
        #[derive(Deserialize)]
        struct Beginning {
            format: u32,
        }
        let refuse = |fault: Fault| ReleaseError::new(MANIFEST, fault);
        let unreadable = |error: serde_json::Error| refuse(Fault::NotAManifest(error.to_string()));
        let Beginning { format } = serde_json::from_slice(text).map_err(unreadable)?;
        if format != FORMAT {
            return Err(refuse(Fault::Format { found: format, expected: FORMAT }));
        }
        let manifest: Self = serde_json::from_slice(text).map_err(unreadable)?;
        if !is_name(&manifest.name) {
            return Err(refuse(Fault::Name(manifest.name)));
        }
        if let Some((part, entry)) = manifest.files.iter().find(|(_, entry)| entry.bytes > MAX_BYTES) {
            return Err(refuse(Fault::TooLong { file: part.file(), bytes: entry.bytes, most: MAX_BYTES }));
        }
        let expected = manifest.clone().named(manifest.label()).name;
        if manifest.name != expected {
            return Err(refuse(Fault::Altered { name: manifest.name, expected }));
        }
        Ok(manifest)
    }

    /// Formats the manifest as JSON.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest can always be serialized");
        text.push('\n');
        text
    }

    /// Returns the label, which is the name without the digest.
    pub fn label(&self) -> &str {
        self.name.rsplit_once('-').map_or(self.name.as_str(), |(label, _)| label)
    }

    /// Returns the entry for a part's file.
    ///
    /// # Errors
    ///
    /// Returns an error if the release doesn't contain the part.
    pub fn file(&self, part: Part) -> Result<&FileEntry, ReleaseError> {
        self.files.get(&part).ok_or_else(|| ReleaseError::new(part.file(), Fault::Absent))
    }

    /// Returns the provenance of a group of figures.
    ///
    /// # Errors
    ///
    /// Returns an error if the manifest doesn't contain it.
    pub fn provenance(&self, figures: Figures) -> Result<&Provenance, ReleaseError> {
        let said = self.provenance.get(&figures);
        said.ok_or_else(|| ReleaseError::new(MANIFEST, Fault::NoProvenance(figures.name())))
    }

    /// Returns the entry for a record's source, or `None` if the manifest doesn't list it. If several sources
    /// have the same name, returns the one with the record's vintage or, if no vintage matches, the first
    /// one.
    pub fn source_of(&self, record: &RecordSource) -> Option<&Source> {
        let named = || self.sources.iter().filter(|source| source.name == record.name);
        named().find(|source| source.vintage == record.vintage).or_else(|| named().next())
    }

    /// Sets the release name, which is derived from the label and from all other members.
    fn named(mut self, label: &str) -> Self {
        label.clone_into(&mut self.name);
        let sum = hex::encode(digest(&SHA256, self.to_json().as_bytes()));
        self.name = format!("{label}-{}", &sum[..DIGITS_IN_NAME]);
        self
    }
}

impl FileEntry {
    /// Creates the entry for a part's file in a folder. Reads the whole file to compute its digest.
    pub fn of(folder: &Path, part: Part, rows: RowCounts) -> io::Result<Self> {
        let path = folder.join(part.file());
        Ok(Self { bytes: fs::metadata(&path)?.len(), sha256: sha256_of_file(&path)?, rows })
    }
}

/// Returns the SHA-256 digest of a file, in lowercase hexadecimal. Reads through a small buffer instead of a
/// memory map, so that the file's pages don't count as resident memory.
pub fn sha256_of_file(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut context = Context::new(&SHA256);
    let mut buffer = vec![0; 256 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex::encode(context.finish())),
            read => context.update(&buffer[..read]),
        }
    }
}

/// Returns whether a string is a valid release name. Names become folder names on disk and key prefixes in a
/// bucket, so a name must not be able to refer to a different folder.
fn is_name(text: &str) -> bool {
    let allowed = |character: char| character.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&character);
    !text.is_empty() && text.len() <= 200 && !text.starts_with('.') && text.chars().all(allowed)
}
