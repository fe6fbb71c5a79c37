//! Packed parts on their way from a bucket into a folder.
//!
//! Frames are fetched, unpacked and summed up side by side, so that a start takes as long as the slowest of
//! the three and not as all of them. Each part has a thread that takes its frames in their order, sums them up
//! and writes them, once.

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

/// The frames that are on their way at once, of all parts together: from the call to the written file. Packed
/// and unpacked they take at most 49 MiB of memory, three quarters of what a function has besides the parts
/// that it maps. Frames that have arrived wait there for earlier ones, and the network must not.
pub const FRAMES_IN_FLIGHT: usize = 12;

/// How often a frame is fetched whose digest differs.
const TRIES_OF_A_FRAME: u32 = 3;

/// The parts of a release that are fetched into a folder.
pub(crate) struct Fetch<'a> {
    pub(crate) bucket: &'a Bucket,
    pub(crate) manifest: &'a Manifest,
    pub(crate) packed: &'a PackedRelease,
    pub(crate) folder: &'a Path,
}

/// The bytes of a frame, which hold their room in memory until they are written.
struct Piece {
    bytes: Vec<u8>,
    arrived_at: Instant,
    _room: OwnedSemaphorePermit,
}

impl Fetch<'_> {
    /// Fetches parts, and holds each to its frames' digests and to its sum in the manifest. Returns when the
    /// last byte had come, and how many packed bytes there were.
    ///
    /// # Errors
    ///
    /// When the bucket does not give a part, or something else than was published, or a file cannot be written.
    /// What is in the folder then is of no use.
    pub(crate) async fn parts(&self, parts: &[Part]) -> Result<(Instant, u64), ReleaseUnavailable> {
        let started = Instant::now();
        let room = Arc::new(Semaphore::new(FRAMES_IN_FLIGHT));
        let (mut fetching, mut writing, mut bytes) = (Vec::new(), Vec::new(), 0);
        for part in parts {
            let unusable = |error| ReleaseUnavailable::Unusable { location: self.location(), error };
            let entry = self.manifest.file(*part).map_err(unusable)?.clone();
            // A packed release that was read has all parts of its manifest.
            let packed = Arc::new(self.packed.parts[part].clone());
            let (sender, receiver) = mpsc::channel(1);
            let (part, path) = (*part, self.folder.join(part.file()));
            bytes += packed.bytes;
            fetching.push(self.fetch(packed, room.clone(), sender));
            let location = self.location();
            writing.push(blocking(move || write(part, &entry, path, receiver, started, location)));
        }
        // Whatever ends the fetching drops the senders, and so ends the writing.
        let (fetched, written) = join(try_join_all(fetching), join_all(writing)).await;
        fetched?;
        let written: Vec<Instant> = written.into_iter().collect::<Result<_, ReleaseUnavailable>>()?;
        Ok((written.into_iter().max().unwrap_or(started), bytes))
    }

    /// Fetches a part and hands its pieces on in their order.
    async fn fetch(
        &self,
        part: Arc<PackedPart>,
        room: Arc<Semaphore>,
        written: mpsc::Sender<Piece>,
    ) -> Result<(), ReleaseUnavailable> {
        // Room is taken in the order of the frames: the first that is not written has some, so that those that
        // wait for it end.
        let waiting: Vec<_> = (0..part.frames.len()).map(|frame| with_room(frame, room.clone())).collect();
        let with_room = stream::iter(waiting).buffered(1);
        let pieces = with_room.map(|(frame, room)| self.fetch_frame(part.clone(), frame, room));
        let mut pieces = std::pin::pin!(pieces.buffered(FRAMES_IN_FLIGHT));
        while let Some(piece) = pieces.try_next().await? {
            if written.send(piece).await.is_err() {
                // Who writes says why no more is written.
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

/// Waits until a frame has its room in memory.
async fn with_room(frame: usize, room: Arc<Semaphore>) -> (usize, OwnedSemaphorePermit) {
    (frame, room.acquire_owned().await.expect("it is never closed"))
}

/// Writes a part of its pieces and holds it to its sum in the manifest. Returns when the last piece had come.
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
