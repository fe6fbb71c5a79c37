//! Reads the displays of all sources. The displays of unchanged sources come from the cache.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dataset::inventory::InventoryWriter;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::cache::Cache;
use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::ids::{IdKind, Ids};
use super::read_displays::{self, Displays};
use super::rejects::{Rejects, Written};
use super::source_list::SourceList;
use crate::diff::Kind;

/// A source's displays in the cache.
#[derive(Serialize, Deserialize)]
struct Cached {
    displays: Displays,
    spots: Vec<u8>,
    rejects: Vec<Written>,
}

/// Reads the displays of all sources. `base` is the key of the base parts.
pub(super) fn read_all(
    list: &SourceList,
    context: &Context<'_>,
    (cache, base): (&Cache, &str),
    ids: &mut BTreeMap<String, Ids>,
    rejects: &mut Rejects,
) -> Result<Vec<Displays>, BuildError> {
    let entries: Vec<&SourceEntry> = list.of_kind(Kind::Displays).collect();
    let digests: Vec<String> = entries
        .par_iter()
        .map(|entry| digest(cache, base, entry, context.today))
        .collect::<Result<_, _>>()?;
    let (mut all, mut unknown) = (Vec::new(), Vec::new());
    for (entry, digest) in entries.into_iter().zip(&digests) {
        let ids = entry.ids.as_ref().and_then(|namespace| ids.get_mut(namespace));
        let cached = cache.get(&key(digest, ids.as_deref())).and_then(|bytes| Cached::of_bytes(&bytes));
        if let Some(cached) = cached {
            all.push(cached.restored(ids, rejects)?);
            continue;
        }
        let count = rejects.len();
        all.push(read_displays::read(entry, context, ids, rejects)?);
        if let Some(rejected) = rejects.written_since(count) {
            unknown.push((all.len() - 1, entry.ids.clone(), digest, rejected));
        }
    }
    for (at, namespace, digest, rejected) in unknown {
        let key = key(digest, namespace.and_then(|namespace| ids.get(&namespace)));
        cache.put(&key, &Cached::bytes_of(&mut all[at], rejected));
    }
    cache.prune();
    Ok(all)
}

/// Returns a digest of everything that the displays of a source depend on, except the assigned IDs.
fn digest(cache: &Cache, base: &str, entry: &SourceEntry, today: &str) -> Result<String, BuildError> {
    let inputs: Vec<PathBuf> = entry.files.iter().chain(&entry.map).cloned().collect();
    cache.key(&inputs, &[base, &format!("{entry:?}"), entry.vintage(today)])
}

fn key(digest: &str, ids: Option<&Ids>) -> String {
    format!("displays-{digest}-{}", ids.map_or_else(String::new, |ids| ids.digest(IdKind::Display)))
}

impl Cached {
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut cached: Self = postcard::from_bytes(bytes).ok()?;
        cached.displays.writer = InventoryWriter::of_bytes(&std::mem::take(&mut cached.spots))?;
        Some(cached)
    }

    fn bytes_of(displays: &mut Displays, rejects: Vec<Written>) -> Vec<u8> {
        let spots = displays.writer.to_bytes();
        let writer = std::mem::take(&mut displays.writer);
        let cached = Self { displays: std::mem::take(displays), spots, rejects };
        let bytes = postcard::to_allocvec(&cached).expect("writing to memory doesn't fail");
        *displays = Displays { writer, ..cached.displays };
        bytes
    }

    /// Marks the assigned IDs and writes the rejected rows, as reading the source does.
    fn restored(self, ids: Option<&mut Ids>, rejects: &mut Rejects) -> Result<Displays, BuildError> {
        let Self { displays, rejects: rejected, .. } = self;
        if let Some(ids) = ids {
            displays.rows.iter().for_each(|(id, row)| ids.mark(IdKind::Display, id.raw().into(), *row));
        }
        for written in rejected {
            rejects.restore(written)?;
        }
        Ok(displays)
    }
}
