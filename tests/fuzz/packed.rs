//! A target for packed releases. Any `packed.json` and frames must either be rejected or unpack to the length
//! in the manifest.

use std::sync::OnceLock;

use dataset::{Manifest, Part};
use harness::sha256;
use release_store::{PackedRelease, unpack};
use serde_json::{Value, json};

/// The packed part, and its length according to the manifest, in bytes.
const PART: Part = Part::Places;
const BYTES: u64 = 5_000;

pub(crate) fn prepare() {
    let whole = include_bytes!("__fuzz__/packed/corpus/whole");
    // Fails if the corpus has an outdated format.
    assert_eq!(unpacked(whole).map(|bytes| bytes.len() as u64), Some(BYTES));
}

pub(crate) fn run(input: &[u8]) {
    if let Some(bytes) = unpacked(input) {
        assert_eq!(bytes.len() as u64, BYTES);
    }
}

/// Parses the first line as the description of a packed release and unpacks the frames after it. Returns
/// `None` if the description or a frame is rejected.
fn unpacked(input: &[u8]) -> Option<Vec<u8>> {
    let end = input.iter().position(|byte| *byte == b'\n')?;
    let (text, frames) = (&input[..end], &input[end + 1..]);
    let text = with_digests(text, frames).unwrap_or_else(|| text.to_vec());
    let packed = PackedRelease::parse(&text, manifest()).ok()?;
    let part = packed.parts.get(&PART)?;
    // Fetching an object also fails if its length differs from the description.
    let mut rest = (part.bytes == frames.len() as u64).then_some(frames)?;
    let mut unpacked = Vec::new();
    for (index, frame) in part.frames.iter().enumerate() {
        let this = rest.split_off(..usize::try_from(frame.packed_bytes).ok()?)?;
        unpacked.extend(unpack(part, index, this).ok()?);
    }
    Some(unpacked)
}

/// Writes each frame's digest into the description, so that altered frames pass the digest check.
fn with_digests(text: &[u8], frames: &[u8]) -> Option<Vec<u8>> {
    let mut description: Value = serde_json::from_slice(text).ok()?;
    let mut rest = frames;
    for frame in description.pointer_mut("/parts/places/frames")?.as_array_mut()? {
        let bytes = usize::try_from(frame["packed_bytes"].as_u64()?).ok()?;
        let (this, after) = rest.split_at_checked(bytes)?;
        frame["sha256"] = json!(sha256(this));
        rest = after;
    }
    serde_json::to_vec(&description).ok()
}

fn manifest() -> &'static Manifest {
    static MANIFEST: OnceLock<Manifest> = OnceLock::new();
    MANIFEST.get_or_init(|| {
        let mut manifest = crate::manifest::whole();
        manifest.files.get_mut(&PART).expect("the manifest has the part").bytes = BYTES;
        manifest
    })
}
