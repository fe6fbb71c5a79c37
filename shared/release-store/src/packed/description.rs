//! What `packed.json` says: which objects the parts are packed in, and in which frames.

use std::collections::BTreeMap;

use dataset::{FileEntry, Manifest, Part};
use serde::{Deserialize, Serialize};

use super::bounds::{MAX_PACKED_BYTES, MAX_UNPACKED_BYTES};
use super::error::{PackedError, PackedFault};

/// The object in which a packed release describes itself.
pub(crate) const PACKED: &str = "packed.json";

/// The form of the description and of the objects; another one is refused.
const FORMAT: u32 = 1;

/// The objects of a packed release. One that was read agrees with its manifest and keeps to the bounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedRelease {
    format: u32,
    /// By the parts that are packed.
    pub parts: BTreeMap<Part, PackedPart>,
}

/// The object in which a part is packed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedPart {
    /// The object's name, below that of the release: it holds the beginning of the object's own SHA-256.
    pub object: String,
    /// The object's length.
    pub bytes: u64,
    /// Its frames, which follow each other without a gap.
    pub frames: Vec<Frame>,
}

/// A frame of zstd, which is unpacked without any other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// How long it is in the object.
    pub packed_bytes: u64,
    /// How long it is in the part.
    pub unpacked_bytes: u64,
    /// The SHA-256 of the packed bytes, in hexadecimal.
    pub sha256: String,
}

impl PackedRelease {
    pub(crate) fn new(parts: BTreeMap<Part, PackedPart>) -> Self {
        Self { format: FORMAT, parts }
    }

    /// Reads a description and holds it to the manifest.
    ///
    /// # Errors
    ///
    /// When the text is no description, of another format, contradicts the manifest or itself, or passes a
    /// bound.
    pub fn parse(text: &[u8], manifest: &Manifest) -> Result<Self, PackedError> {
        let refuse = |fault| PackedError { object: PACKED.to_owned(), fault };
        let packed = Self::read(text).map_err(refuse)?;
        for (part, entry) in &manifest.files {
            let absent = || format!("does not describe {}, which the manifest has", part.file());
            let described = packed.parts.get(part).ok_or_else(absent);
            let checked = described.and_then(|described| described.check(part.file(), entry));
            checked.map_err(|why| refuse(PackedFault::Contradictory(why)))?;
        }
        Ok(packed)
    }

    fn read(text: &[u8]) -> Result<Self, PackedFault> {
        /// All that is read of a description in any format.
        #[derive(Deserialize)]
        struct Beginning {
            format: u32,
        }
        let unreadable = |error: serde_json::Error| PackedFault::NotADescription(error.to_string());
        let Beginning { format } = serde_json::from_slice(text).map_err(unreadable)?;
        if format != FORMAT {
            return Err(PackedFault::Format { found: format, expected: FORMAT });
        }
        serde_json::from_slice(text).map_err(unreadable)
    }

    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("texts and numbers are written into memory");
        text.push(b'\n');
        text
    }
}

impl PackedPart {
    /// Returns the name of the object that packs a part, by the object's SHA-256 in hexadecimal.
    pub(super) fn object_name(part: Part, sha256: &str) -> String {
        format!("{}.{}.zst", part.file(), &sha256[..12])
    }

    /// Holds what is said of a part to the bounds, to itself and to the manifest's entry.
    fn check(&self, part: &str, entry: &FileEntry) -> Result<(), String> {
        let Self { object, bytes, frames } = self;
        if !is_object_name(part, object) {
            return Err(format!(
                "says that {part} is packed in {object:?}; it is `{part}.`, 12 hexadecimal digits and `.zst`"
            ));
        }
        let (mut packed, mut unpacked) = (0, 0);
        for (index, frame) in frames.iter().enumerate() {
            let (of_frame, unpacks_to) = (frame.packed_bytes, frame.unpacked_bytes);
            if !(1..=MAX_PACKED_BYTES).contains(&of_frame) || !(1..=MAX_UNPACKED_BYTES).contains(&unpacks_to)
            {
                return Err(format!(
                    "says that frame {index} of {part} has {of_frame} bytes, which unpack to {unpacks_to}; a frame \
                     has between 1 and {MAX_PACKED_BYTES}, which unpack to between 1 and {MAX_UNPACKED_BYTES}"
                ));
            }
            // No overflow: the frames are bounded, and so is the text that describes them.
            packed += of_frame;
            unpacked += unpacks_to;
        }
        if packed != *bytes {
            return Err(format!("describes frames of {part} with {packed} bytes in an object with {bytes}"));
        }
        if unpacked != entry.bytes {
            let said = entry.bytes;
            return Err(format!(
                "describes frames of {part} that unpack to {unpacked} bytes; the manifest says {said}"
            ));
        }
        Ok(())
    }
}

/// Tells whether a text names a packed object of a part, and nothing outside of the release.
fn is_object_name(part: &str, text: &str) -> bool {
    let rest = text.strip_prefix(part).and_then(|rest| rest.strip_prefix('.'));
    let digits = rest.and_then(|rest| rest.strip_suffix(".zst"));
    digits.is_some_and(|digits| {
        digits.len() == 12 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}
