//! Fetches packed parts from a bucket into a folder.
//!
//! Frames are fetched, unpacked, and hashed concurrently, so a cold start takes only as long as the slowest
//! of these steps. Each part has a thread that receives its frames in order, hashes them, and writes them to
//! a file.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use dataset::{Fault, FileEntry, Manifest, Part, ReleaseError};
use futures_util::future::{join, join_all, try_join_all};
use futures_util::{StreamExt, TryStreamExt, stream};
use ring::digest::{Context, SHA256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::bucket::{Bucket, ObjectRange};
use crate::location::ReleaseLocation;
use crate::packed::{PackedError, PackedFault, PackedPart, PackedRelease, unpack};
use crate::unavailable::ReleaseUnavailable;
use crate::verify::blocking;

/// The maximum number of frames in flight across all parts. A frame is in flight from the time it's requested
/// until it's written. The packed and unpacked frames together take up at most 49 MiB, about three quarters of
/// the memory that a function has beyond its mapped parts. Frames that arrive early wait in memory for the
/// preceding ones, so that the network is never idle.
pub const FRAMES_IN_FLIGHT: usize = 12;

/// The maximum number of attempts to fetch a frame whose digest doesn't match.
const TRIES_OF_A_FRAME: u32 = 3;

/// The release to fetch, and the destination folder.
pub(crate) struct Fetch<'a> {
    pub(crate) bucket: &'a Bucket,
    pub(crate) manifest: &'a Manifest,
    pub(crate) packed: &'a PackedRelease,
    pub(crate) folder: &'a Path,
}

/// A frame's unpacked bytes. Dropping the value releases the frame's memory permit.
struct Piece {
    bytes: Vec<u8>,
    arrived_at: Instant,
    _room: OwnedSemaphorePermit,
}

impl Fetch<'_> {
    /// Fetches parts and verifies each frame's digest and each part's checksum. Returns when the last byte
    /// arrived, and the number of packed bytes.
    ///
    /// Returns an error if a part can't be fetched, doesn't match the published part, or can't be written.
    /// The folder's contents are unusable after an error.
    pub(crate) async fn parts(&self, parts: &[Part]) -> Result<(Instant, u64), ReleaseUnavailable> {
        let started = Instant::now();
        let room = Arc::new(Semaphore::new(FRAMES_IN_FLIGHT));
        let (mut fetching, mut writing, mut bytes) = (Vec::new(), Vec::new(), 0);
        for part in parts {
            let unusable = |error| ReleaseUnavailable::Unusable { location: self.location(), error };
            let entry = self.manifest.file(*part).map_err(unusable)?.clone();
            // The description was checked against the manifest, so it contains all parts.
            let packed = Arc::new(self.packed.parts[part].clone());
            let (sender, receiver) = mpsc::channel(1);
            let (part, path) = (*part, self.folder.join(part.file()));
            bytes += packed.bytes;
            fetching.push(self.fetch(packed, room.clone(), sender));
            let location = self.location();
            writing.push(blocking(move || write(part, &entry, path, receiver, started, location)));
        }
        // A finished or failed fetch drops its sender, which stops its writer.
        let (fetched, written) = join(try_join_all(fetching), join_all(writing)).await;
        fetched?;
        let written: Vec<Instant> = written.into_iter().collect::<Result<_, ReleaseUnavailable>>()?;
        Ok((written.into_iter().max().unwrap_or(started), bytes))
    }

    /// Fetches a part's frames and sends them to the writer in order.
    async fn fetch(
        &self,
        part: Arc<PackedPart>,
        room: Arc<Semaphore>,
        written: mpsc::Sender<Piece>,
    ) -> Result<(), ReleaseUnavailable> {
        // Acquire permits in the frames' order. The first unwritten frame then always has one, so the frames
        // that wait for it can't block it.
        let waiting: Vec<_> = (0..part.frames.len()).map(|frame| with_room(frame, room.clone())).collect();
        let with_room = stream::iter(waiting).buffered(1);
        let pieces = with_room.map(|(frame, room)| self.fetch_frame(part.clone(), frame, room));
        let mut pieces = std::pin::pin!(pieces.buffered(FRAMES_IN_FLIGHT));
        while let Some(piece) = pieces.try_next().await? {
            if written.send(piece).await.is_err() {
                // The writer has stopped and returns the reason itself.
                break;
            }
        }
        Ok(())
    }

    async fn fetch_frame(
        &self,
        part: Arc<PackedPart>,
        frame: usize,
        room: OwnedSemaphorePermit,
    ) -> Result<Piece, ReleaseUnavailable> {
        let start: u64 = part.frames[..frame].iter().map(|before| before.packed_bytes).sum();
        let object = ObjectRange {
            key: format!("{}/{}", self.manifest.name, part.object),
            object_bytes: part.bytes,
            bytes: start..start + part.frames[frame].packed_bytes,
        };
        let mut tries = 1;
        loop {
            let packed = self.bucket.read_range(&object).await?;
            let arrived_at = Instant::now();
            let described = part.clone();
            match blocking(move || unpack(&described, frame, &packed)).await {
                Ok(bytes) => return Ok(Piece { bytes, arrived_at, _room: room }),
                Err(PackedFault::Digest { .. }) if tries < TRIES_OF_A_FRAME => tries += 1,
                Err(fault) => {
                    let error = PackedError { object: part.object.clone(), fault };
                    return Err(ReleaseUnavailable::Packed { location: self.location(), error });
                }
            }
        }
    }

    fn location(&self) -> ReleaseLocation {
        let (bucket, name) = (self.bucket.name().to_owned(), self.manifest.name.clone());
        ReleaseLocation::Bucket { bucket, name }
    }
}

/// Waits for a frame's memory permit.
async fn with_room(frame: usize, room: Arc<Semaphore>) -> (usize, OwnedSemaphorePermit) {
    (frame, room.acquire_owned().await.expect("the semaphore is never closed"))
}

/// Writes a part's frames to a file and verifies the part's checksum. Returns when the last frame arrived.
fn write(
    part: Part,
    entry: &FileEntry,
    path: PathBuf,
    mut pieces: mpsc::Receiver<Piece>,
    started: Instant,
    location: ReleaseLocation,
) -> Result<Instant, ReleaseUnavailable> {
    let mut sum = Context::new(&SHA256);
    let mut arrived_at = started;
    let written = File::create(&path).and_then(|mut file| {
        while let Some(piece) = pieces.blocking_recv() {
            sum.update(&piece.bytes);
            file.write_all(&piece.bytes)?;
            arrived_at = arrived_at.max(piece.arrived_at);
        }
        Ok(())
    });
    written.map_err(|error| ReleaseUnavailable::Cache { path, why: error.to_string() })?;
    if hex::encode(sum.finish()) != entry.sha256 {
        let error = ReleaseError::new(part.file(), Fault::Digest);
        return Err(ReleaseUnavailable::Unusable { location, error });
    }
    Ok(arrived_at)
}
