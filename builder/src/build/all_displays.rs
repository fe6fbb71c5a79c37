//! Reads the displays from all sources. The displays of unchanged sources come from the cache.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use dataset::inventory::InventoryWriter;
use rayon::prelude::*;

use super::cache::Cache;
use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::ids::{IdKind, Ids, namespace};
use super::read_displays::{self, Displays};
use super::rejects::{Rejects, Written};
use super::source_list::SourceList;
use crate::diff::Kind;

/// A source's displays as stored in the cache: the [`Displays`] without their writer, the writer's bytes, and
/// the rejected rows.
type Cached = (Displays, Vec<u8>, Vec<Written>);

/// A source's displays and rejected rows, restored from the cache.
type Restored = (Displays, Vec<Written>);

/// The cache keys for each source's entries, by source name. A source with the same keys in two builds has
/// the same displays in both.
pub(super) type SourceKeys = BTreeMap<String, Vec<String>>;

/// Reads the displays from all sources in list order and caches new results. Also returns the sources' cache
/// keys. `areas` is the cache key of the geographies and the population.
pub(super) fn read_all(
    list: &SourceList,
    context: &Context<'_>,
    (cache, areas): (&Cache, &str),
    ids: &mut BTreeMap<String, Ids>,
    rejects: &mut Rejects,
) -> Result<(Vec<Displays>, SourceKeys), BuildError> {
    let entries: Vec<&SourceEntry> = list.of_kind(Kind::Displays).collect();
    let digests: Vec<String> = entries
        .par_iter()
        .map(|entry| digest(cache, areas, entry, context.today))
        .collect::<Result<_, _>>()?;
    let keys = entries.iter().zip(&digests).map(|(entry, digest)| key(digest, assigned(ids, entry), 0));
    let mut cached = read_cached(cache, keys.collect());
    let (mut all, mut unknown, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for (entry, digest) in entries.iter().zip(&digests) {
        let ids = namespace(ids, entry);
        let source = ids.as_ref().map_or(0, |ids| ids.source());
        sources.push(source);
        let key = key(digest, ids.as_deref(), source);
        // If an earlier source assigned IDs in this namespace, the key has changed and isn't in `cached`, so
        // look it up in the cache again.
        let restored = cached.remove(&key).or_else(|| of_bytes(&cache.get(&key)?));
        if let Some((displays, rejected)) = restored {
            restore(&displays, rejected, ids, rejects)?;
            all.push(displays);
            continue;
        }
        let count = rejects.len();
        all.push(read_displays::read(entry, context, ids, rejects)?);
        if let Some(rejected) = rejects.written_since(count) {
            unknown.push((all.len() - 1, rejected));
        }
    }
    let keys = entries.iter().zip(&digests).zip(sources);
    let keys: Vec<String> =
        keys.map(|((entry, digest), source)| key(digest, assigned(ids, entry), source)).collect();
    unknown.into_par_iter().for_each(|(at, rejected)| cache.put(&keys[at], &to_bytes(&all[at], &rejected)));
    cache.prune();
    let mut by_source = SourceKeys::new();
    for (entry, key) in entries.iter().zip(keys) {
        by_source.entry(entry.name.to_string()).or_default().push(key);
    }
    Ok((all, by_source))
}

/// Loads cached results in parallel. Keys that aren't in the cache are missing from the result.
fn read_cached(cache: &Cache, keys: Vec<String>) -> HashMap<String, Restored> {
    keys.into_par_iter()
        .filter_map(|key| {
            let restored = of_bytes(&cache.get(&key)?)?;
            Some((key, restored))
        })
        .collect()
}

/// Computes a digest of everything that a source's displays depend on, except the assigned IDs.
fn digest(cache: &Cache, areas: &str, entry: &SourceEntry, today: &str) -> Result<String, BuildError> {
    let inputs: Vec<PathBuf> = entry.files.iter().chain(&entry.map).cloned().collect();
    cache.key(&inputs, &[areas, &format!("{entry:?}"), entry.vintage(today)])
}

fn assigned<'a>(ids: &'a BTreeMap<String, Ids>, entry: &SourceEntry) -> Option<&'a Ids> {
    ids.get(entry.ids.as_ref()?)
}

/// Returns the cache key of a source's displays. The key depends on the IDs in the source's namespace, and on
/// which of these IDs are used by sources with a number below `source`.
fn key(digest: &str, ids: Option<&Ids>, source: u32) -> String {
    format!("displays-{digest}-{}", ids.map_or_else(String::new, |ids| ids.digest(IdKind::Display, source)))
}

fn to_bytes(displays: &Displays, rejected: &[Written]) -> Vec<u8> {
    let cached = (displays, displays.writer.to_bytes(), rejected);
    postcard::to_allocvec(&cached).expect("writing to memory doesn't fail")
}

fn of_bytes(bytes: &[u8]) -> Option<Restored> {
    let (displays, spots, rejected): Cached = postcard::from_bytes(bytes).ok()?;
    Some((Displays { writer: InventoryWriter::of_bytes(&spots)?, ..displays }, rejected))
}

/// Marks the IDs of cached displays as used, and writes the rejected rows, as if the source had been read.
fn restore(
    displays: &Displays,
    rejected: Vec<Written>,
    ids: Option<&mut Ids>,
    rejects: &mut Rejects,
) -> Result<(), BuildError> {
    if let Some(ids) = ids {
        displays.rows.iter().for_each(|(id, row)| ids.mark(IdKind::Display, id.raw().into(), *row));
    }
    for written in rejected {
        rejects.restore(written)?;
    }
    Ok(())
}
