//! `marquee release build`.

use std::path::PathBuf;

use builder::LATEST;
use builder::build::{self, Build, BuildError, Built, MAX_REASONS, Notice, Rejects, Report, SourceSummary};
use clap::Args;
use dataset::{Folder, Part};
use release_store::ReleaseLocation;
use runtime::Clock;

use super::location::{BucketArgs, VerifiedRelease};
use crate::failure::Failure;
use crate::output::{OutputError, print_line};
use crate::release::{CACHE, LOCAL_RELEASES, ProgressBar, SAMPLE_DATA, SAMPLE_LIST, read_list};

/// The maximum number of notices to print.
const SHOWN_NOTICES: usize = 20;

/// The arguments of `marquee release build`.
#[derive(Args, Debug)]
pub struct BuildArgs {
    /// The list of sources.
    #[arg(value_name = "LIST", default_value = SAMPLE_LIST)]
    list: PathBuf,
    /// The releases folder, where the new release's folder is created.
    #[arg(long, value_name = "DIR", default_value = LOCAL_RELEASES)]
    out: PathBuf,
    /// The folder of the public sample's source data.
    #[arg(long, value_name = "DIR", default_value = SAMPLE_DATA)]
    data: PathBuf,
    /// The release to compare with, a folder or s3://BUCKET/NAME; by default, the latest one in the releases
    /// folder.
    #[arg(long, value_name = "RELEASE", env = "RELEASE")]
    against: Option<String>,
    /// A source that may shrink or whose records may move; can be repeated.
    #[arg(long, value_name = "SOURCE")]
    accept_changes: Vec<String>,
    #[command(flatten)]
    bucket: BucketArgs,
}

/// The error for a build that succeeded with notices, which has its own exit status.
#[derive(Debug, thiserror::Error)]
#[error("built with {0}; see above")]
pub struct BuiltWithNotices(String);

/// The error for a build that failed after rejecting rows, which may be the cause.
#[derive(Debug, thiserror::Error)]
#[error("{source}\n{rejected_rows}")]
pub struct BuildWithRejects {
    pub(crate) source: BuildError,
    rejected_rows: String,
}

impl BuildArgs {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let (against, not_compared) = self.open_against().await?;
        let (built, rejected_rows) = self.build(against.as_ref().map(|release| &release.folder))?;
        let Built { folder, mut report } = built;
        report.notices.extend(not_compared);
        print(&folder, &report, rejected_rows)?;
        match report.notices.len() {
            0 => Ok(()),
            1 => Err(BuiltWithNotices("1 notice".to_owned()).into()),
            notices => Err(BuiltWithNotices(format!("{notices} notices")).into()),
        }
    }

    /// Opens the release to compare with, if there is one. If the latest release is damaged or has a
    /// different format, returns a notice that the new release wasn't compared.
    async fn open_against(&self) -> Result<(Option<VerifiedRelease>, Option<Notice>), Failure> {
        if let Some(location) = self.against.as_ref().filter(|location| !location.is_empty()) {
            return Ok((Some(self.bucket.open(&location.parse()?, &Part::ALL).await?), None));
        }
        let latest = self.out.join(LATEST);
        if latest.symlink_metadata().is_err() {
            return Ok((None, None));
        }
        match self.bucket.open(&ReleaseLocation::Folder(latest), &Part::ALL).await {
            Ok(release) => Ok((Some(release), None)),
            Err(error) => Ok((None, Some(Notice::NotCompared { reason: error.to_string() }))),
        }
    }

    fn build(&self, against: Option<&Folder>) -> Result<(Built, Option<String>), Failure> {
        let list = read_list(&self.list, &self.data)?;
        let today = Clock::System.now().day().to_string();
        let bar = ProgressBar::start();
        let mut rejects = Rejects::default();
        let built = build::build(
            Build {
                list: &list,
                data: &self.data,
                releases: &self.out,
                cache: &self.out.join(CACHE),
                against,
                accepted: &self.accept_changes,
                today: &today,
                progress: &|step, done, all| bar.show(step, done, all),
            },
            &mut rejects,
        );
        drop(bar);
        let rejected_rows = rejected_rows(&rejects.finish()?);
        match (built, rejected_rows) {
            (Ok(built), rejected_rows) => Ok((built, rejected_rows)),
            (Err(source), Some(rejected_rows)) => Err(BuildWithRejects { source, rejected_rows }.into()),
            (Err(error), None) => Err(error.into()),
        }
    }
}

fn print(folder: &Folder, report: &Report, rejected_rows: Option<String>) -> Result<(), OutputError> {
    let Report { sources, notices, difference, ids } = report;
    print_line(format_args!("built {} in {}", folder.manifest().name, folder.path().display()))?;
    for source in sources {
        print_source(source)?;
    }
    if let Some(rejected_rows) = rejected_rows {
        print_line(rejected_rows)?;
    }
    for file in ids {
        print_line(format_args!("assigned IDs: {}", file.display()))?;
    }
    match difference {
        Some((old, difference)) => {
            print_line(format_args!("compared with {old}:"))?;
            print_line(difference)?;
        }
        None => print_line("no release to compare with, so changes were not checked")?,
    }
    for notice in notices.iter().take(SHOWN_NOTICES) {
        print_line(format_args!("notice: {notice}"))?;
    }
    if notices.len() > SHOWN_NOTICES {
        print_line(format_args!("notice: {} more notices", notices.len() - SHOWN_NOTICES))?;
    }
    print_line(format_args!(
        "to serve it, restart `marquee serve`; to deploy it, run `make deploy RELEASE={}`",
        folder.path().display()
    ))
}

fn print_source(source: &SourceSummary) -> Result<(), OutputError> {
    let SourceSummary {
        kind,
        name,
        rows,
        accepted,
        outside_us,
        assigned_ids,
        unmeasured,
        overridden,
        reasons,
    } = source;
    let details = [
        (*assigned_ids, "with assigned IDs"),
        (*outside_us, "outside the United States"),
        (*unmeasured, "unmeasured"),
        (*overridden, "overridden by another source"),
    ];
    let details: String = details
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    let kind = kind.name();
    print_line(format_args!("{kind} from {name}: {accepted} of {rows} rows accepted{details}"))?;
    for (reason, count) in reasons.most_common(MAX_REASONS) {
        print_line(format_args!("  {count} rejected: {reason}"))?;
    }
    Ok(())
}

/// Returns a sentence that lists the files with the rejected rows, or `None` if no rows were rejected.
fn rejected_rows(files: &[PathBuf]) -> Option<String> {
    let files: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    (!files.is_empty()).then(|| format!("rejected rows, with their lines and reasons: {}", files.join(", ")))
}
