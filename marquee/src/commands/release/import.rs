//! `marquee release import`.

use std::path::{Path, PathBuf};

use accounting::Day;
use builder::build::{
    About, Import, ImportError, MaxRejects, Notice, Rejects, add_inventory, add_measures, add_places,
};
use builder::columns::{ColumnMap, Target};
use builder::displays as inventory;
use builder::displays::InventorySummary;
use builder::measures::MeasuresSummary;
use builder::places::{Summary, TARGETS};
use clap::{Args, Subcommand};
use dataset::{Folder, Part};
use runtime::Clock;

use crate::commands::arguments::source;
use crate::failure::Failure;
use crate::output::print_line;
use crate::release::{FolderError, LOCAL_RELEASE, ProgressBar, open};

/// How many notices of one import are shown.
const SHOWN_NOTICES: usize = 20;

/// What can be added to a release.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Adds places from .csv, .jsonl or .geojson files.
    Places {
        #[command(flatten)]
        columns: ColumnArgs,
        #[command(flatten)]
        import: ImportArgs,
    },
    /// Loads measured records of places from .jsonl files; they replace the records that the places had.
    PlacesMeasures(ImportArgs),
    /// Adds spots: full records from .jsonl files, or the columns of .csv, .jsonl or .geojson files.
    Inventory {
        #[command(flatten)]
        columns: ColumnArgs,
        /// Lets rows without a spot_id take the place of spots of other sources, too.
        #[arg(long)]
        replace: bool,
        #[command(flatten)]
        import: ImportArgs,
    },
}

/// What an import is told of columns.
#[derive(Args, Debug)]
pub struct ColumnArgs {
    /// The column map, for columns with other names than docs/reference/data-format.md gives them, and for
    /// delimiters and decimal commas.
    #[arg(long, value_name = "MAP.toml")]
    map: Option<PathBuf>,
    /// Rows that name no country lie outside the United States, whatever their state and ZIP code look like.
    #[arg(long = "outside-us")]
    foreign: bool,
}

/// What every import is told.
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// The files to import, all with the same columns.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The release to extend.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// Where to write the extended release; in place of the one it is made from by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Where to write the rejected rows of one file, as the file has them; beside it by default, as
    /// FILE.rejects.csv, .jsonl or .geojson. Corrected, they are imported like any file.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,
    /// How many rows may be rejected, as a number or a part such as 2.5%; with more, no release is written
    /// and the exit status is 3. Any number by default.
    #[arg(long, value_name = "N|N%")]
    max_rejects: Option<MaxRejects>,
    /// Whose data it is; every record keeps it, and the provenance of answers names it.
    #[arg(long, value_name = "TEXT", default_value = About::UNNAMED, value_parser = source)]
    source: String,
    /// The day that the data describe; today by default.
    #[arg(long, value_name = "YYYY-MM-DD")]
    vintage: Option<Day>,
    /// Reads and reports, but writes no release.
    #[arg(long)]
    dry_run: bool,
}

/// The counts and notices for the rows of all files.
struct Imported {
    rows: u64,
    accepted: u64,
    rejected: u64,
    /// Further details about the accepted rows.
    details: String,
    notices: Vec<Notice>,
}

/// An import that failed after it rejected rows. The rejected rows may be the cause.
#[derive(Debug, thiserror::Error)]
#[error("{source}; {rejected_rows}")]
struct ImportWithRejects {
    source: ImportError,
    rejected_rows: String,
}

impl ImportCommand {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Places { columns, import } => {
                let map = columns.map(&TARGETS)?.unwrap_or_else(|| ColumnMap::own_names(&TARGETS));
                import.run(columns.foreign, |job, rejects| Ok(add_places(job, &map, rejects)?.into()))
            }
            Self::PlacesMeasures(import) => {
                import.run(false, |job, rejects| Ok(add_measures(job, rejects)?.into()))
            }
            Self::Inventory { columns, replace, import } => {
                let map = columns.map(&inventory::TARGETS)?;
                import.run(columns.foreign, |job, rejects| {
                    Ok(add_inventory(job, map.as_ref(), replace, rejects)?.into())
                })
            }
        }
    }
}

impl ColumnArgs {
    fn map(&self, targets: &'static [Target]) -> Result<Option<ColumnMap>, Failure> {
        Ok(self.map.as_deref().map(|map| ColumnMap::read(map, targets)).transpose()?)
    }
}

impl ImportArgs {
    fn run(
        &self,
        is_foreign: bool,
        import: impl FnOnce(&Import<'_>, &mut Rejects) -> Result<Imported, ImportError>,
    ) -> Result<(), Failure> {
        let base = open(&self.release)?;
        base.verify(&Part::ALL).map_err(FolderError::unusable(&self.release))?;
        let vintage = self.vintage.unwrap_or_else(|| Clock::System.now().day());
        let about = About { source: self.source.clone(), vintage: vintage.to_string() };
        let out = self.out.as_deref().unwrap_or(&self.release);
        let mut rejects = self.rejects.clone().map_or_else(Rejects::beside_sources, Rejects::into_file);
        let bar = ProgressBar::start();
        let job = Import {
            base: &base,
            files: &self.files,
            about: &about,
            is_foreign,
            max_rejects: self.max_rejects,
            out: (!self.dry_run).then_some(out),
            progress: &|step, done, all| bar.show(step, done, all),
        };
        let imported = import(&job, &mut rejects);
        drop(bar);
        let rejected_rows = rejected_rows(&rejects.finish(imported.is_err())?);
        match imported {
            Ok(imported) => self.report(&imported, rejected_rows, out),
            Err(error) => Err(match rejected_rows {
                Some(rejected_rows) => ImportWithRejects { source: error, rejected_rows }.into(),
                None => error.into(),
            }),
        }
    }

    fn report(&self, imported: &Imported, rejected_rows: Option<String>, out: &Path) -> Result<(), Failure> {
        let Imported { rows, accepted, rejected, details, notices } = imported;
        print_line(format_args!("{rows} rows: {accepted} accepted ({details}), {rejected} rejected"))?;
        if let Some(rejected_rows) = rejected_rows {
            print_line(rejected_rows)?;
        }
        for notice in notices.iter().take(SHOWN_NOTICES) {
            print_line(format_args!("notice: {notice}"))?;
        }
        if notices.len() > SHOWN_NOTICES {
            print_line(format_args!("notice: and {} more like these", notices.len() - SHOWN_NOTICES))?;
        }
        if self.dry_run {
            print_line("a dry run: no release was written")?;
            return Ok(());
        }
        let written = Folder::open(out).map_err(FolderError::unusable(out))?;
        print_line(format_args!("{} is in {}", written.manifest().name, out.display()))?;
        print_line(
            "`marquee serve` opens a release when it starts: restart one that is running to serve this one; \
             `marquee release publish` takes it to the cloud",
        )?;
        Ok(())
    }
}

/// Returns a sentence that says where the rejected rows are, or `None` if no rows were rejected.
fn rejected_rows(files: &[PathBuf]) -> Option<String> {
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    let said = format!("the rejected rows, with their lines and reasons, are in {}", files.join(", "));
    (!files.is_empty()).then_some(said)
}

impl From<Summary> for Imported {
    fn from(summary: Summary) -> Self {
        let Summary { rows, accepted, rejected, outside_us, derived_ids, notices } = summary;
        let details =
            format!("{outside_us} of them outside the United States, {derived_ids} with derived ids");
        Self { rows, accepted, rejected, details, notices }
    }
}

impl From<MeasuresSummary> for Imported {
    fn from(MeasuresSummary { rows, accepted, rejected, notices }: MeasuresSummary) -> Self {
        Self { rows, accepted, rejected, details: "one for each place".to_owned(), notices }
    }
}

impl From<InventorySummary> for Imported {
    fn from(summary: InventorySummary) -> Self {
        let InventorySummary {
            rows,
            accepted,
            rejected,
            replaced,
            outside_us,
            derived_ids,
            not_measured,
            notices,
        } = summary;
        let details = format!(
            "{replaced} of them in the place of spots of the release, {outside_us} outside the United \
             States, {derived_ids} with derived ids, {not_measured} not measured, which no search returns"
        );
        Self { rows, accepted, rejected, details, notices }
    }
}
