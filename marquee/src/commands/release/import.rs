use std::path::{Path, PathBuf};

use builder::import::inventory::{self, InventorySummary};
use builder::import::places::TARGETS;
use builder::import::{About, ColumnMap, Rejects, add_inventory, add_measures, add_places};
use clap::{Args, Subcommand};
use dataset::{Folder, Part};
use shared::runtime::Clock;
use shared::types::Day;

use super::bar::Bar;
use super::{LOCAL_RELEASE, open, unusable};

/// What can be added to a release.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Adds places from a .csv, .jsonl or .geojson file.
    Places {
        #[command(flatten)]
        import: ImportArgs,
        /// The column map, when the columns have other names than docs/data-format.md gives them.
        #[arg(long, value_name = "MAP.toml")]
        map: Option<PathBuf>,
    },
    /// Loads measured records of places from a .jsonl file, in the place of those that they had.
    PlacesMeasures(ImportArgs),
    /// Adds spots: full records from a .jsonl file, or the columns of a .csv, .jsonl or .geojson file.
    Inventory {
        #[command(flatten)]
        import: ImportArgs,
        /// The column map, when the columns have other names than docs/data-format.md gives them.
        #[arg(long, value_name = "MAP.toml")]
        map: Option<PathBuf>,
    },
}

/// What every import is told.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// The file.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The release to start from.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// Where the extended release goes; in the place of the one that it started from by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where the rejected rows go; beside the file by default, with .rejects.csv added to its name.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Whose data it is, for the answers' provenance.
    #[arg(long, value_name = "TEXT", default_value = "loaded by the operator")]
    source: String,
    /// The day that the data describe, YYYY-MM-DD; today by default.
    #[arg(long, value_name = "DAY", value_parser = day)]
    vintage: Option<Day>,
    /// Reads and reports, and writes no release.
    #[arg(long)]
    dry_run: bool,
}

impl ImportCommand {
    pub(super) fn run(self) -> Result<(), String> {
        match self {
            Self::Places { import, map } => {
                let map = match map {
                    Some(map) => ColumnMap::read(&map, &TARGETS).map_err(text)?,
                    None => ColumnMap::own_names(&TARGETS),
                };
                import.run(|base, about, rejects, out, bar| {
                    let progress = |what: &str, done, all| bar.show(what, done, all);
                    let summary = add_places(base, &import.file, &map, about, rejects, out, &progress).map_err(text)?;
                    let (outside, derived) = (summary.outside_us, summary.derived_ids);
                    let more = format!("{outside} of them outside the United States, {derived} with derived ids");
                    Ok((summary.rows, summary.accepted, summary.rejected, more))
                })
            }
            Self::PlacesMeasures(import) => import.run(|base, about, rejects, out, bar| {
                let progress = |what: &str, done, all| bar.show(what, done, all);
                let summary = add_measures(base, &import.file, about, rejects, out, &progress).map_err(text)?;
                Ok((summary.rows, summary.accepted, summary.rejected, "one for each place".to_owned()))
            }),
            Self::Inventory { import, map } => {
                let map = map.map(|map| ColumnMap::read(&map, &inventory::TARGETS)).transpose().map_err(text)?;
                import.run(|base, about, rejects, out, bar| {
                    let progress = |what: &str, done, all| bar.show(what, done, all);
                    let summary = add_inventory(base, &import.file, map.as_ref(), about, rejects, out, &progress);
                    let InventorySummary { rows, accepted, rejected, replaced, outside_us, derived_ids, not_measured } =
                        summary.map_err(text)?;
                    let more = format!(
                        "{replaced} of them in the place of spots of the release, {outside_us} outside the United \
                         States, {derived_ids} with derived ids, {not_measured} not measured, which no search returns"
                    );
                    Ok((rows, accepted, rejected, more))
                })
            }
        }
    }
}

/// Rows, accepted ones, rejected ones, and what more there is to say of the accepted ones.
type Counts = (u64, u64, u64, String);

impl ImportArgs {
    fn run(
        &self,
        import: impl FnOnce(&Folder, &About, &mut Rejects, Option<&Path>, &Bar) -> Result<Counts, String>,
    ) -> Result<(), String> {
        let base = open(&self.release)?;
        base.verify(&Part::ALL).map_err(|error| unusable(&self.release, &error))?;
        let vintage = self.vintage.unwrap_or_else(|| Clock::System.now().day());
        let about = About { source: self.source.clone(), vintage: vintage.to_string() };
        let out = self.out.as_deref().unwrap_or(&self.release);
        let rejects_file = self.rejects_file();
        let mut rejects = Rejects::create(&rejects_file, &self.file).map_err(text)?;
        let bar = Bar::new();
        let counted = import(&base, &about, &mut rejects, (!self.dry_run).then_some(out), &bar);
        drop(bar);
        let any_rejects = rejects.count() > 0;
        rejects.finish().map_err(text)?;
        let said = format!("the rejected rows, with their lines and reasons, are in {}", rejects_file.display());
        if !any_rejects {
            let _ = std::fs::remove_file(&rejects_file);
        }
        let (rows, accepted, rejected, more) =
            counted.map_err(|error| if any_rejects { format!("{error}; {said}") } else { error })?;
        println!("{rows} rows: {accepted} accepted ({more}), {rejected} rejected");
        if any_rejects {
            println!("{said}");
        }
        if self.dry_run {
            println!("a dry run: no release was written");
            return Ok(());
        }
        let written = Folder::open(out).map_err(text)?;
        println!("{} is in {}", written.manifest().name, out.display());
        Ok(())
    }

    fn rejects_file(&self) -> PathBuf {
        self.rejects.clone().unwrap_or_else(|| {
            let mut name = self.file.clone().into_os_string();
            name.push(".rejects.csv");
            name.into()
        })
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn day(text: &str) -> Result<Day, String> {
    text.parse().map_err(|_| "must be a calendar date YYYY-MM-DD".to_owned())
}
