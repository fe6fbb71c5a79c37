//! `marquee release propose-map`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use builder::columns::propose;
use builder::rows::Dialect;
use builder::{displays, places};
use clap::Args;

use crate::failure::Failure;
use crate::output::print_line;
use crate::release::ProgressBar;

/// The arguments of `marquee release propose-map`.
#[derive(Args, Debug)]
pub struct ProposeMapArgs {
    /// The file: .csv, .tsv, .xlsx, .jsonl, or .geojson.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The file contains places instead of displays.
    #[arg(long)]
    places: bool,
    /// The sheet of a workbook with several sheets.
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// The number of the header row, if it isn't the first row with values.
    #[arg(long, value_name = "ROW")]
    header_row: Option<NonZeroU64>,
}

impl ProposeMapArgs {
    /// Prints the proposed column map.
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self { file, places, sheet, header_row } = self;
        let schema = if places { places::SCHEMA } else { displays::SCHEMA };
        let bar = ProgressBar::start();
        let progress = |step: &str, done, all| bar.show(step, done, all);
        let map = propose(&file, &Dialect { sheet, header_row, delimiter: None }, &schema, &progress)?;
        drop(bar);
        print_line(map.trim_end())?;
        Ok(())
    }
}
