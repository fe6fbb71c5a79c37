//! The `packed.json` file, which lists the objects and frames that contain a release's parts.

use std::collections::BTreeMap;

use dataset::{FileEntry, Manifest, Part};
use serde::{Deserialize, Serialize};

use super::bounds::{MAX_PACKED_BYTES, MAX_UNPACKED_BYTES};
use super::error::{PackedError, PackedFault};

/// The name of the object that describes a packed release.
pub(crate) const PACKED: &str = "packed.json";

/// The format version of the description and the objects. Other versions are rejected.
const FORMAT: u32 = 1;

/// The description of a packed release. [`Self::parse`] checks it against the manifest and the limits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedRelease {
    format: u32,
    /// The object for each part.
    pub parts: BTreeMap<Part, PackedPart>,
}

/// The object that contains a packed part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedPart {
    /// The object's name within the release. It contains the first digits of the object's SHA-256 digest.
    pub object: String,
    /// The object's length in bytes.
    pub bytes: u64,
    /// The object's frames, in order and without gaps.
    pub frames: Vec<Frame>,
}

/// A zstd frame, which can be unpacked independently of all other frames.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The length of the packed frame, in bytes.
    pub packed_bytes: u64,
    /// The length of the unpacked frame, in bytes.
    pub unpacked_bytes: u64,
    /// The SHA-256 digest of the packed frame, in hexadecimal.
    pub sha256: String,
}

impl PackedRelease {
    pub(crate) fn new(parts: BTreeMap<Part, PackedPart>) -> Self {
        Self { format: FORMAT, parts }
    }

    /// Parses a description and checks it against the manifest. Returns an error if `text` isn't a
    /// description, has another format version, contradicts the manifest or itself, or exceeds a limit.
    pub fn parse(text: &[u8], manifest: &Manifest) -> Result<Self, PackedError> {
        let refuse = |fault| PackedError { object: PACKED.to_owned(), fault };
        let packed = Self::read(text).map_err(refuse)?;
        for (part, entry) in &manifest.files {
            let absent = || format!("does not describe {}, which is in the manifest", part.file());
            let described = packed.parts.get(part).ok_or_else(absent);
            let checked = described.and_then(|described| described.check(part.file(), entry));
            checked.map_err(|why| refuse(PackedFault::Contradictory(why)))?;
        }
        Ok(packed)
    }

    fn read(text: &[u8]) -> Result<Self, PackedFault> {
        /// The member that all format versions have.
        #[derive(Deserialize)]
        struct Beginning {
            format: u32,
        }
        let unreadable = |error: serde_json::Error| PackedFault::InvalidDescription(error.to_string());
        let Beginning { format } = serde_json::from_slice(text).map_err(unreadable)?;
        if format != FORMAT {
            return Err(PackedFault::Format { found: format, expected: FORMAT });
        }
        serde_json::from_slice(text).map_err(unreadable)
    }

    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("writing to memory doesn't fail");
        text.push(b'\n');
        text
    }
}

impl PackedPart {
    /// Returns the name of a part's object. `sha256` is the object's SHA-256 digest in hexadecimal.
    pub(super) fn object_name(part: Part, sha256: &str) -> String {
        format!("{}.{}.zst", part.file(), &sha256[..12])
    }

    /// Checks that a part's description is consistent, stays within the limits, and matches the manifest's
    /// entry.
    fn check(&self, part: &str, entry: &FileEntry) -> Result<(), String> {
        let Self { object, bytes, frames } = self;
        if !is_object_name(part, object) {
            return Err(format!(
                "names the object {object:?} for {part}; a name must be `{part}.` followed by 12 \
                 hexadecimal digits and `.zst`"
            ));
        }
        let (mut packed, mut unpacked) = (0, 0);
        for (index, frame) in frames.iter().enumerate() {
            let (of_frame, unpacks_to) = (frame.packed_bytes, frame.unpacked_bytes);
            if !(1..=MAX_PACKED_BYTES).contains(&of_frame) || !(1..=MAX_UNPACKED_BYTES).contains(&unpacks_to)
            {
                return Err(format!(
                    "is invalid: frame {index} of {part} is {of_frame} bytes packed and {unpacks_to} bytes \
                     unpacked; the limits are 1 to {MAX_PACKED_BYTES} bytes packed and 1 to \
                     {MAX_UNPACKED_BYTES} bytes unpacked"
                ));
            }
            // These sums can't overflow, because frame sizes and the description's length are limited.
            packed += of_frame;
            unpacked += unpacks_to;
        }
        if packed != *bytes {
            return Err(format!("lists {packed} bytes of frames for {part}, but an object of {bytes} bytes"));
        }
        if unpacked != entry.bytes {
            let said = entry.bytes;
            return Err(format!(
                "lists frames for {part} that unpack to {unpacked} bytes, but the manifest says {said}"
            ));
        }
        Ok(())
    }
}

/// Returns whether `text` is a valid object name for a part. A valid name can't refer to an object outside
/// the release.
fn is_object_name(part: &str, text: &str) -> bool {
    let rest = text.strip_prefix(part).and_then(|rest| rest.strip_prefix('.'));
    let digits = rest.and_then(|rest| rest.strip_suffix(".zst"));
    digits.is_some_and(|digits| {
        digits.len() == 12 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    })
}
