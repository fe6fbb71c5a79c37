//! The manifest of a release. It contains the release's name, its files with their digests, and the
//! provenance of its figures.

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

/// The version of the release format. Releases with a different version are rejected.
pub const FORMAT: u32 = 14;

/// The maximum length of a file in bytes, 64 GiB. Programs allocate memory and disk space for the lengths in
/// a manifest, so the lengths must be limited.
const MAX_BYTES: u64 = 1 << 36;

/// The number of hexadecimal digits of the manifest's digest in a release's name: 128 bits.
const DIGITS_IN_NAME: usize = 32;

/// A part of a release. Each part is stored in one file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", suffix = ".bin")]
pub enum Part {
    /// The nation, states, counties, markets, and other areas.
    Geographies,
    /// The cohorts and their population in every geography.
    Population,
    /// The places, and the index for searching them.
    Places,
    /// The records of visits to places.
    Measures,
    /// The spots, and the index for searching them.
    Inventory,
    /// The number of measured spots in each geography.
    SpotCounts,
    /// The IDs of all displays, places, and cohorts.
    KnownIds,
    /// The surroundings and impressions of all displays.
    Exposures,
    /// The cohorts and their national population.
    NationalPopulation,
    /// The weekly visits to all places.
    Visits,
    /// The points of the spots with measures, for drawing map tiles.
    DisplayTiles,
    /// The points of the places, for drawing map tiles.
    PlaceTiles,
    /// The tiles of the base map, and the gazetteer.
    BaseMap,
}

impl Part {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Returns the file name of the part, for example `places.bin`.
    pub fn file(self) -> &'static str {
        self.into()
    }
}

/// A group of figures that have the same provenance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figures {
    /// The names, positions, and populations of areas.
    Geographies,
    /// The population of counties and of areas that consist of counties.
    CountyPopulation,
    /// The population of television markets.
    DmaPopulation,
    /// The population of ZIP codes.
    ZipPopulation,
    Places,
    /// The modelled records of visits to places.
    ModelledMeasures,
    /// The records of visits to places that an administrator loaded.
    LoadedMeasures,
    /// The spots of the inventory.
    Inventory,
}

impl Figures {
    /// Returns the description of the figures in error messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Geographies => "geographies",
            Self::CountyPopulation => "population of counties and areas made up of counties",
            Self::DmaPopulation => "population of DMAs",
            Self::ZipPopulation => "population of ZIP codes",
            Self::Places => "places",
            Self::ModelledMeasures => "modelled measures of places",
            Self::LoadedMeasures => "loaded measures of places",
            Self::Inventory => "inventory",
        }
    }
}

/// A data source of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The name of the data set.
    pub name: String,
    /// The date or period that the data describes.
    pub vintage: String,
    /// The license of the data.
    pub licence: String,
    /// The attribution that the license requires, or an empty string.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub attribution: String,
    /// The namespace of the source's own numbers, if it has one. It stays the same if the source is renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<String>,
}

impl Source {
    /// Returns the key that identifies the source in successive releases: the namespace of its numbers or, if
    /// it has none, its name.
    pub fn key(&self) -> &str {
        self.ids.as_deref().unwrap_or(&self.name)
    }
}

impl fmt::Display for Source {
    /// Formats the name, followed by the namespace of the source's numbers if it has one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.ids.iter().try_for_each(|ids| write!(f, " ({ids})"))
    }
}

/// The number of rows in a file, by kind of row.
pub type RowCounts = BTreeMap<String, u64>;

/// A file's entry in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The length in bytes.
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
    /// The name of the release: a label, a hyphen, and the first 32 hexadecimal digits of the SHA-256 digest
    /// of all other members of the manifest and the label.
    pub name: String,
    /// The lowest maturity of all figures.
    pub maturity: Maturity,
    pub files: BTreeMap<Part, FileEntry>,
    /// The provenance of each group of figures.
    pub provenance: BTreeMap<Figures, Provenance>,
    /// The data sources of the release.
    pub sources: Vec<Source>,
}

impl Manifest {
    /// Creates a manifest. The name consists of the label and a digest of the manifest's other contents.
    pub fn new(
        label: &str,
        files: BTreeMap<Part, FileEntry>,
        provenance: BTreeMap<Figures, Provenance>,
        sources: Vec<Source>,
    ) -> Self {
        let maturity = provenance.values().map(|one| one.data_maturity).max().unwrap_or(Maturity::Production);
        Self { format: FORMAT, name: String::new(), maturity, files, provenance, sources }.named(label)
    }

    /// Parses a manifest.
    ///
    /// # Errors
    ///
    /// Fails if `text` isn't a manifest, or if the manifest has a different format version or an invalid
    /// name, lists a file that is too long, or was altered after it was named.
    pub fn parse(text: &[u8]) -> Result<Self, ReleaseError> {
        /// The only member that is the same in all format versions.
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

    /// Returns the entry for the file of a part.
    ///
    /// # Errors
    ///
    /// Fails if the release doesn't have this part.
    pub fn file(&self, part: Part) -> Result<&FileEntry, ReleaseError> {
        self.files.get(&part).ok_or_else(|| ReleaseError::new(part.file(), Fault::Absent))
    }

    /// Returns the provenance of a group of figures.
    ///
    /// # Errors
    ///
    /// Fails if the manifest doesn't contain the provenance.
    pub fn provenance(&self, figures: Figures) -> Result<&Provenance, ReleaseError> {
        let said = self.provenance.get(&figures);
        said.ok_or_else(|| ReleaseError::new(MANIFEST, Fault::NoProvenance(figures.name())))
    }

    /// Returns the entry for the source of a record, or `None` if the manifest doesn't list it. Entries with
    /// the same name are distinguished by their vintages. If none of the vintages matches, returns the first
    /// of these entries.
    pub fn source_of(&self, record: &RecordSource) -> Option<&Source> {
        let named = || self.sources.iter().filter(|source| source.name == record.name);
        named().find(|source| source.vintage == record.vintage).or_else(|| named().next())
    }

    /// Sets the name, which is computed from the label and from everything else in the manifest.
    fn named(mut self, label: &str) -> Self {
        label.clone_into(&mut self.name);
        let sum = hex::encode(digest(&SHA256, self.to_json().as_bytes()));
        self.name = format!("{label}-{}", &sum[..DIGITS_IN_NAME]);
        self
    }
}

impl FileEntry {
    /// Creates the entry for the file of a part by reading the file from a folder.
    pub fn of(folder: &Path, part: Part, rows: RowCounts) -> io::Result<Self> {
        let path = folder.join(part.file());
        Ok(Self { bytes: fs::metadata(&path)?.len(), sha256: sha256_of_file(&path)?, rows })
    }
}

/// Returns the SHA-256 digest of a file, in lowercase hexadecimal. Reads the file through a small buffer
/// instead of a memory map, so that the file's pages don't count as resident memory.
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

/// Returns whether a string is a valid release name. The name is used as the name of a folder on disk and in
/// a bucket, so it must not refer to a different folder.
fn is_name(text: &str) -> bool {
    let allowed = |character: char| character.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&character);
    !text.is_empty() && text.len() <= 200 && !text.starts_with('.') && text.chars().all(allowed)
}
