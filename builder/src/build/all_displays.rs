//! Reads the displays of all sources. The displays of unchanged sources come from the cache.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dataset::inventory::InventoryWriter;
use rayon::prelude::*;

use super::cache::Cache;
use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::ids::{IdKind, Ids};
use super::read_displays::{self, Displays};
use super::rejects::{Rejects, Written};
use super::source_list::SourceList;
use crate::diff::Kind;

/// A source's displays in the cache: all but their spots, the spots, and the rejected rows.
type Cached = (Displays, Vec<u8>, Vec<Written>);

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
        let mut ids = entry.ids.as_ref().and_then(|namespace| ids.get_mut(namespace));
        let source = ids.as_mut().map_or(0, |ids| ids.begin_source());
        let cached = cache.get(&key(digest, ids.as_deref(), source)).and_then(|bytes| of_bytes(&bytes));
        if let Some((displays, rejected)) = cached {
            restore(&displays, rejected, ids, rejects)?;
            all.push(displays);
            continue;
        }
        let count = rejects.len();
        all.push(read_displays::read(entry, context, ids, rejects)?);
        if let Some(rejected) = rejects.written_since(count) {
            unknown.push((all.len() - 1, entry.ids.clone(), source, digest, rejected));
        }
    }
    for (at, namespace, source, digest, rejected) in unknown {
        let key = key(digest, namespace.and_then(|namespace| ids.get(&namespace)), source);
        cache.put(&key, &to_bytes(&all[at], &rejected));
    }
    cache.prune();
    Ok(all)
}

/// Returns a digest of everything that the displays of a source depend on, except the assigned IDs.
fn digest(cache: &Cache, base: &str, entry: &SourceEntry, today: &str) -> Result<String, BuildError> {
    let inputs: Vec<PathBuf> = entry.files.iter().chain(&entry.map).cloned().collect();
    cache.key(&inputs, &[base, &format!("{entry:?}"), entry.vintage(today)])
}

fn key(digest: &str, ids: Option<&Ids>, source: u32) -> String {
    format!("displays-{digest}-{}", ids.map_or_else(String::new, |ids| ids.digest(IdKind::Display, source)))
}

fn to_bytes(displays: &Displays, rejected: &[Written]) -> Vec<u8> {
    let cached = (displays, displays.writer.to_bytes(), rejected);
    postcard::to_allocvec(&cached).expect("writing to memory doesn't fail")
}

fn of_bytes(bytes: &[u8]) -> Option<(Displays, Vec<Written>)> {
    let (displays, spots, rejected): Cached = postcard::from_bytes(bytes).ok()?;
    Some((Displays { writer: InventoryWriter::of_bytes(&spots)?, ..displays }, rejected))
}

/// Marks the assigned IDs and writes the rejected rows, as reading the source does.
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
