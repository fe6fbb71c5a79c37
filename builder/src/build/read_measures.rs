//! Reads a source's place measures.

use std::collections::HashMap;

use dataset::measures::Measure;
use dataset::{GeographyId, GeographyType, PlaceId, Places, Population};

use super::context::Context;
use super::entry::SourceEntry;
use super::error::BuildError;
use super::file_row::{FileRow, Files};
use super::ids::{IdKind, Ids};
use super::notice::Notice;
use super::rejects::Rejects;
use super::report::SourceSummary;
use super::source_files::Reading;
use crate::measures::{FindPlace, Known, LineError, parse_line};
use crate::rows::{FileError, Input, Layout, RowProblem};

/// A source's place measures, and its part of the build report.
pub(super) struct SourceMeasures {
    pub(super) measures: HashMap<PlaceId, Measure>,
    /// The row that each place's measures were read from.
    pub(super) rows: HashMap<PlaceId, FileRow>,
    pub(super) files: Files,
    pub(super) summary: SourceSummary,
    pub(super) notices: Vec<Notice>,
}

/// Reads a source's place measures. `places` contains the new release's places.
pub(super) fn read(
    entry: &SourceEntry,
    context: &Context<'_>,
    (population, places): (&Population, &Places),
    ids: Option<&Ids>,
    rejects: &mut Rejects,
) -> Result<SourceMeasures, BuildError> {
    let zip = |zip: &str| context.geographies.find(&GeographyId::from_national_id(GeographyType::Zip, zip)?);
    let registered =
        ids.map(|ids| move |number: &str| ids.find(IdKind::Place, number).map(PlaceId::from_raw));
    let known = Known {
        place: &|place| places.find(place).is_some(),
        registered: registered.as_ref().map(|registered| registered as FindPlace<'_>),
        zip: &zip,
        segment: &|id| population.find(id),
    };
    let mut reading = Reading::new(entry, rejects);
    let (mut measures, mut rows) = (HashMap::new(), HashMap::new());
    for file in &entry.files {
        let named = |fault| FileError { file: file.display().to_string(), fault };
        let mut input = Input::open(file, context.progress).map_err(named)?;
        reading.begin(file, Layout::JsonLines);
        while let Some(line) = input.line().map_err(named)? {
            if line.is_blank() {
                continue;
            }
            let row = reading.files.row(line.number);
            let parsed = line.text().map_err(LineError::from).and_then(|text| parse_line(text, &known));
            let reason = match parsed {
                Ok((place, measure)) => match rows.get(&place) {
                    None => {
                        rows.insert(place, row);
                        measures.insert(place, measure);
                        reading.accept(false);
                        continue;
                    }
                    Some(other) => {
                        let other = reading.files.name_here(*other);
                        format!("place_id: {other} already has a record for place {place}")
                    }
                },
                Err(error) => error.to_string(),
            };
            reading.reject(&RowProblem { line: line.number, reason, raw: line.bytes })?;
        }
        let lines = input.windows_1252();
        reading.notices.extend(lines.map(|lines| Notice::Windows1252 { file: file.clone(), lines }));
    }
    let (summary, files, notices) = reading.end(|_, _| true, IdKind::Place)?;
    Ok(SourceMeasures { measures, rows, files, summary, notices })
}
