//! `marquee release import`.

use std::path::{Path, PathBuf};

use builder::import::inventory::{self, InventorySummary};
use builder::import::places::TARGETS;
use builder::import::{About, ColumnMap, ImportError, Rejects, add_inventory, add_measures, add_places};
use clap::{Args, Subcommand};
use dataset::{Folder, Part};
use shared::runtime::Clock;
use shared::types::Day;

use super::error::{RejectedRows, ReleaseCommandError};
use crate::output::print_line;
use crate::release::{FolderError, LOCAL_RELEASE, ProgressBar, open};

/// What can be added to a release.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Adds places from a .csv, .jsonl or .geojson file.
    Places {
        #[command(flatten)]
        import: ImportArgs,
        /// The column map, for columns with other names than docs/data-format.md gives them.
        #[arg(long, value_name = "MAP.toml")]
        map: Option<PathBuf>,
    },
    /// Loads measured records of places from a .jsonl file; they replace the records that the places had.
    PlacesMeasures(ImportArgs),
    /// Adds spots: full records from a .jsonl file, or the columns of a .csv, .jsonl or .geojson file.
    Inventory {
        #[command(flatten)]
        import: ImportArgs,
        /// The column map, for columns with other names than docs/data-format.md gives them.
        #[arg(long, value_name = "MAP.toml")]
        map: Option<PathBuf>,
    },
}

/// What every import is told.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// The file to import.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The release to extend.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// Where to write the extended release; in place of the one it is made from by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where to write the rejected rows; beside the file by default, with .rejects.csv added to its name.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// Whose data it is; the provenance of answers names it.
    #[arg(long, value_name = "TEXT", default_value = "loaded by the operator")]
    source: String,
    /// The day that the data describe; today by default.
    #[arg(long, value_name = "YYYY-MM-DD")]
    vintage: Option<Day>,
    /// Reads and reports, but writes no release.
    #[arg(long)]
    dry_run: bool,
}

/// What every import hands to the builder.
struct Job<'a> {
    base: &'a Folder,
    about: &'a About,
    rejects: &'a mut Rejects,
    /// `None` for a dry run.
    out: Option<&'a Path>,
    bar: &'a ProgressBar,
}

/// What became of a file's rows.
struct Imported {
    rows: u64,
    accepted: u64,
    rejected: u64,
    /// What more there is to say of the accepted ones.
    details: String,
}

impl ImportCommand {
    pub(super) fn run(self) -> Result<(), ReleaseCommandError> {
        match self {
            Self::Places { import, map } => {
                let map = match map {
                    Some(map) => ColumnMap::read(&map, &TARGETS)?,
                    None => ColumnMap::own_names(&TARGETS),
                };
                import.run(|job| places(&import.file, &map, job))
            }
            Self::PlacesMeasures(import) => import.run(|job| measures(&import.file, job)),
            Self::Inventory { import, map } => {
                let map = map.map(|map| ColumnMap::read(&map, &inventory::TARGETS)).transpose()?;
                import.run(|job| spots(&import.file, map.as_ref(), job))
            }
        }
    }
}

impl ImportArgs {
    fn run(
        &self,
        import: impl FnOnce(Job<'_>) -> Result<Imported, ImportError>,
    ) -> Result<(), ReleaseCommandError> {
        let base = open(&self.release)?;
        base.verify(&Part::ALL).map_err(FolderError::unusable(&self.release))?;
        let vintage = self.vintage.unwrap_or_else(|| Clock::System.now().day());
        let about = About { source: self.source.clone(), vintage: vintage.to_string() };
        let out = self.out.as_deref().unwrap_or(&self.release);
        let rejects_file = self.rejects_file();
        let mut rejects = Rejects::create(&rejects_file, &self.file)?;
        let bar = ProgressBar::start();
        let imported = import(Job {
            base: &base,
            about: &about,
            rejects: &mut rejects,
            out: (!self.dry_run).then_some(out),
            bar: &bar,
        });
        drop(bar);
        let rejected_rows = kept(rejects, rejects_file)?;
        match imported {
            Ok(imported) => self.report(&imported, rejected_rows.as_ref(), out),
            Err(error) => Err(match rejected_rows {
                Some(rejected_rows) => {
                    ReleaseCommandError::ImportWithRejects { source: Box::new(error), rejected_rows }
                }
                None => error.into(),
            }),
        }
    }

    fn report(
        &self,
        imported: &Imported,
        rejected_rows: Option<&RejectedRows>,
        out: &Path,
    ) -> Result<(), ReleaseCommandError> {
        let Imported { rows, accepted, rejected, details } = imported;
        print_line(format_args!("{rows} rows: {accepted} accepted ({details}), {rejected} rejected"))?;
        if let Some(rejected_rows) = rejected_rows {
            print_line(rejected_rows)?;
        }
        if self.dry_run {
            print_line("a dry run: no release was written")?;
            return Ok(());
        }
        let written = Folder::open(out).map_err(FolderError::unusable(out))?;
        print_line(format_args!("{} is in {}", written.manifest().name, out.display()))?;
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

/// Closes the file of rejected rows; one without rows is removed.
fn kept(rejects: Rejects, file: PathBuf) -> Result<Option<RejectedRows>, ReleaseCommandError> {
    let is_empty = rejects.count() == 0;
    rejects.finish()?;
    if is_empty {
        let _ = std::fs::remove_file(file);
        return Ok(None);
    }
    Ok(Some(RejectedRows(file)))
}

fn places(file: &Path, map: &ColumnMap, job: Job<'_>) -> Result<Imported, ImportError> {
    let Job { base, about, rejects, out, bar } = job;
    let progress = |step: &str, done, all| bar.show(step, done, all);
    let added = add_places(base, file, map, about, rejects, out, &progress)?;
    let (outside, derived) = (added.outside_us, added.derived_ids);
    let details = format!("{outside} of them outside the United States, {derived} with derived ids");
    Ok(Imported { rows: added.rows, accepted: added.accepted, rejected: added.rejected, details })
}

fn measures(file: &Path, job: Job<'_>) -> Result<Imported, ImportError> {
    let Job { base, about, rejects, out, bar } = job;
    let progress = |step: &str, done, all| bar.show(step, done, all);
    let added = add_measures(base, file, about, rejects, out, &progress)?;
    let details = "one for each place".to_owned();
    Ok(Imported { rows: added.rows, accepted: added.accepted, rejected: added.rejected, details })
}

fn spots(file: &Path, map: Option<&ColumnMap>, job: Job<'_>) -> Result<Imported, ImportError> {
    let Job { base, about, rejects, out, bar } = job;
    let progress = |step: &str, done, all| bar.show(step, done, all);
    let added = add_inventory(base, file, map, about, rejects, out, &progress)?;
    let InventorySummary { rows, accepted, rejected, replaced, outside_us, derived_ids, not_measured } =
        added;
    let details = format!(
        "{replaced} of them in the place of spots of the release, {outside_us} outside the United States, \
         {derived_ids} with derived ids, {not_measured} not measured, which no search returns"
    );
    Ok(Imported { rows, accepted, rejected, details })
}
