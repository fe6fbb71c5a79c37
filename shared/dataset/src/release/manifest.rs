//! What a release says of itself: its name, its files and their sums, and where its figures come from.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use provenance::{Maturity, Provenance};
use ring::digest::{Context, SHA256, digest};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::error::{Fault, ReleaseError};

/// The file in which a release describes itself.
pub const MANIFEST: &str = "manifest.json";

/// The layout of the files; a release of another one is refused.
pub const FORMAT: u32 = 9;

/// The longest file of a release. Whoever reads a manifest makes room for what it says.
const MOST_BYTES: u64 = 1 << 36;

/// A part of a release, which is one file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case", suffix = ".bin")]
pub enum Part {
    /// The areas that a market may be made of.
    Geographies,
    /// The cohorts and how many of each live in every geography.
    Population,
    /// The places and their search index.
    Places,
    /// A measured record of each place.
    Measures,
    /// The spots and their search index.
    Inventory,
    /// How many spots lie in each geography.
    SpotCounts,
    /// The ids of displays, places and cohorts.
    KnownIds,
    /// The cohorts and how many of each live in the nation.
    NationalPopulation,
    /// What tiles show of the measured spots.
    DisplayTiles,
    /// What tiles show of the places.
    PlaceTiles,
}

impl Part {
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Returns the name of the part's file.
    pub fn file(self) -> &'static str {
        self.into()
    }
}

/// A kind of figures, which all have the same origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figures {
    /// Names, positions and populations of areas.
    Geographies,
    /// Persons of counties and of what is made of counties.
    CountyPopulation,
    /// Persons of television markets.
    DmaPopulation,
    /// Persons of ZIP codes.
    ZipPopulation,
    Places,
    /// The records of places that a model derived.
    ModelledMeasures,
    /// The records of places that an operator loaded.
    LoadedMeasures,
    /// The spots.
    Inventory,
}

impl Figures {
    /// Returns what the figures are, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Geographies => "geographies",
            Self::CountyPopulation => "population of counties and their sums",
            Self::DmaPopulation => "population of DMAs",
            Self::ZipPopulation => "population of ZIP codes",
            Self::Places => "places",
            Self::ModelledMeasures => "modelled measures of places",
            Self::LoadedMeasures => "loaded measures of places",
            Self::Inventory => "inventory",
        }
    }
}

/// A source of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// What was taken.
    pub name: String,
    /// What time it describes.
    pub vintage: String,
    /// Under what terms.
    pub licence: String,
    /// What must be shown with it; empty when nothing must.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub attribution: String,
}

/// How many rows of each kind a file holds.
pub type RowCounts = BTreeMap<String, u64>;

/// A file of a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    pub rows: RowCounts,
}

/// What a release says of itself: `manifest.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout of the files.
    pub format: u32,
    /// The release's name: a label, and the beginning of a digest of all its files.
    pub name: String,
    /// The least that any of its figures can be relied on.
    pub maturity: Maturity,
    pub files: BTreeMap<Part, FileEntry>,
    /// Where its figures come from.
    pub provenance: BTreeMap<Figures, Provenance>,
    /// What it was made from.
    pub sources: Vec<Source>,
}

impl Manifest {
    /// Describes a release; the name follows from the label and from all that the release holds and says of
    /// itself.
    pub fn new(
        label: &str,
        files: BTreeMap<Part, FileEntry>,
        provenance: BTreeMap<Figures, Provenance>,
        sources: Vec<Source>,
    ) -> Self {
        let maturity = provenance.values().map(|one| one.data_maturity).max().unwrap_or(Maturity::Production);
        let mut manifest =
            Self { format: FORMAT, name: label.to_owned(), maturity, files, provenance, sources };
        let sum = hex::encode(digest(&SHA256, manifest.to_json().as_bytes()));
        manifest.name = format!("{label}-{}", &sum[..12]);
        manifest
    }

    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// When the text is no manifest, of a release in another format, or says what cannot be.
    pub fn parse(text: &[u8]) -> Result<Self, ReleaseError> {
        /// All that is read of a manifest in any format.
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
        match manifest.files.iter().find(|(_, entry)| entry.bytes > MOST_BYTES) {
            Some((part, entry)) => {
                Err(refuse(Fault::TooLong { file: part.file(), bytes: entry.bytes, most: MOST_BYTES }))
            }
            None => Ok(manifest),
        }
    }

    /// Writes the manifest.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("texts and numbers are written into memory");
        text.push('\n');
        text
    }

    /// Returns the label: the name without the digest.
    pub fn label(&self) -> &str {
        self.name.rsplit_once('-').map_or(self.name.as_str(), |(label, _)| label)
    }

    /// Returns the entry of a part's file.
    ///
    /// # Errors
    ///
    /// When the release has no such part.
    pub fn file(&self, part: Part) -> Result<&FileEntry, ReleaseError> {
        self.files.get(&part).ok_or_else(|| ReleaseError::new(part.file(), Fault::Absent))
    }

    /// Returns where figures come from.
    ///
    /// # Errors
    ///
    /// When the manifest does not say.
    pub fn provenance(&self, figures: Figures) -> Result<&Provenance, ReleaseError> {
        let said = self.provenance.get(&figures);
        said.ok_or_else(|| ReleaseError::new(MANIFEST, Fault::NoProvenance(figures.name())))
    }
}

impl FileEntry {
    /// Describes a part's file that was written into a folder.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn of(folder: &Path, part: Part, rows: RowCounts) -> io::Result<Self> {
        let path = folder.join(part.file());
        Ok(Self { bytes: fs::metadata(&path)?.len(), sha256: sha256_of_file(&path)?, rows })
    }
}

/// Returns the SHA-256 of a file, in hexadecimal. It is read through a small buffer, so that it does not count
/// as resident.
///
/// # Errors
///
/// When it cannot be read.
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

/// Tells whether a text can name a release: a folder of a bucket or of a disk, which must not lead out of it.
fn is_name(text: &str) -> bool {
    let allowed = |character: char| character.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&character);
    !text.is_empty() && text.len() <= 200 && !text.starts_with('.') && text.chars().all(allowed)
}
