//! Matches columns to targets by their names and values, for files without a column map.

use std::collections::{BTreeMap, BTreeSet};

use super::candidates::{Candidate, Reason, candidates, looks_like_degrees};
use super::dates::{DateForms, date_forms};
use super::error::{MatchError, MatchFault};
use super::map::{ColumnMap, Mapped, Notation, Source};
use super::names::Name;
use super::samples::Samples;
use super::target::{Form, Required, Schema, Target};
use crate::rows::{Dialect, FileError, RowReader};

/// The number of rows to sample.
const ROWS: usize = 1_000;

/// The matches between a file's columns and targets.
#[derive(Debug)]
pub struct Matching {
    pub(super) schema: Schema,
    pub(super) file: String,
    pub(super) dialect: Dialect,
    pub(super) samples: Samples,
    /// The best column for each target, unless several columns match equally well.
    pub(super) chosen: BTreeMap<&'static str, Candidate>,
    /// Constants derived from column names, each with the name of the column.
    pub(super) constants: BTreeMap<&'static str, (String, String)>,
    pub(super) notation: Notation,
    pub(super) faults: Vec<MatchFault>,
}

impl Matching {
    /// Matches a file's columns by their names and by the values in the first rows. The reader returns these
    /// rows again.
    ///
    /// # Errors
    ///
    /// Fails if the file can't be read.
    pub fn of(file: &mut RowReader<'_>, schema: &Schema) -> Result<Self, FileError> {
        let samples = Samples::of(file, ROWS)?;
        let mut matching = Self {
            schema: *schema,
            file: file.name().to_owned(),
            dialect: file.dialect().clone(),
            notation: Notation { has_decimal_commas: samples.have_decimal_commas(), ..Notation::default() },
            samples,
            chosen: BTreeMap::new(),
            constants: BTreeMap::new(),
            faults: Vec::new(),
        };
        matching.choose(file.has_positions());
        matching.read_names();
        matching.find_dates();
        matching.find_units();
        matching.require(file.has_positions());
        matching.look_for_header(file)?;
        Ok(matching)
    }

    /// Returns the column map, if the matches are unambiguous and complete.
    ///
    /// # Errors
    ///
    /// Fails if several columns match a target equally well, if a required target has no column, or if the
    /// format of a target's values is ambiguous.
    pub fn into_map(self) -> Result<ColumnMap, MatchError> {
        if !self.faults.is_empty() {
            let Self { file, dialect, schema, faults, .. } = self;
            return Err(MatchError { file, dialect, option: schema.option, faults });
        }
        Ok(self.map())
    }

    /// Returns a map that contains only the unambiguous matches.
    pub(super) fn map(&self) -> ColumnMap {
        let mut sources = BTreeMap::new();
        for target in self.schema.targets {
            let is_text = target.form == Form::Text;
            if let Some(candidate) = self.chosen.get(target.name) {
                let source = Source::Columns(vec![candidate.column.clone()]);
                sources.insert(target.name, Mapped { source, is_text });
            }
            if let Some((constant, _)) = self.constants.get(target.name) {
                let source = Source::Constant(constant.clone());
                sources.insert(target.name, Mapped { source, is_text });
            }
        }
        let mut map = ColumnMap::of(sources);
        map.notation = self.notation.clone();
        map
    }

    /// Assigns each column to the target that best matches its name. If a target has several columns, chooses
    /// the best match. If several match equally well, adds a fault.
    fn choose(&mut self, has_positions: bool) {
        let mut by_target: BTreeMap<&'static str, Vec<Candidate>> = BTreeMap::new();
        for column in self.samples.columns() {
            let is_elsewhere = |target: &Target| {
                let required = self.schema.required.iter().find(|required| required.target == target.name);
                has_positions && required.is_some_and(|required| required.is_coordinate)
            };
            let targets = self.schema.targets.iter().filter(|target| !is_elsewhere(target));
            let fitting = candidates(column, targets).into_iter();
            let mut fitting = fitting.filter(|(target, found)| self.is_plausible(target, found));
            if let Some((target, candidate)) = fitting.next() {
                by_target.entry(target.name).or_default().push(candidate);
            }
        }
        for (target, candidates) in by_target {
            let best = candidates.iter().map(|candidate| candidate.rank).min();
            let mut best: Vec<Candidate> =
                candidates.into_iter().filter(|candidate| Some(candidate.rank) == best).collect();
            if let [_] = best[..] {
                self.chosen.extend(best.pop().map(|candidate| (target, candidate)));
            } else {
                let columns = best.into_iter().map(|candidate| candidate.column).collect();
                self.faults.push(MatchFault::Ambiguous { target, columns });
            }
        }
        if !has_positions {
            self.look_for_positions();
        }
    }

    /// Returns whether a column's values are plausible for a target. At least one value must be valid, unless
    /// the column is empty, the target is text, or the column has the target's exact name.
    fn is_plausible(&self, target: &Target, candidate: &Candidate) -> bool {
        if target.form == Form::Text || candidate.reason == Reason::OwnName {
            return true;
        }
        let values = self.samples.values(&candidate.column);
        values.is_empty() || values.iter().any(|value| self.understands(target, value))
    }

    /// Returns whether a value is valid for its target.
    pub(super) fn understands(&self, target: &Target, value: &str) -> bool {
        if target.form == Form::Date {
            let has_form = self.notation.dates.get(target.name).map(|form| form.read(value).is_some());
            let is_in_form = has_form.unwrap_or_else(|| date_forms([value].into_iter()) != DateForms::None);
            return (target.is_understood)(value) || is_in_form;
        }
        let is_decimal = self.notation.has_decimal_commas && value.contains(',');
        (target.is_understood)(value) || is_decimal && (target.is_understood)(&value.replace(',', "."))
    }

    /// Chooses columns whose values look like coordinates, unless a column's name indicates coordinates.
    fn look_for_positions(&mut self) {
        let targets = ["latitude", "longitude"];
        let is_named = |target: &&str| {
            self.chosen.contains_key(*target)
                || self.faults.iter().any(|fault| fault.target() == Some(target))
        };
        let is_required = |target: &&str| self.schema.required.iter().any(|one| one.target == *target);
        if targets.iter().any(is_named) || !targets.iter().all(is_required) {
            return;
        }
        let used: BTreeSet<&String> = self.chosen.values().map(|candidate| &candidate.column).collect();
        let free: Vec<String> =
            self.samples.columns().iter().filter(|column| !used.contains(column)).cloned().collect();
        for target in targets {
            let looks_alike = |column: &&String| looks_like_degrees(self.samples.values(column), target);
            let alike: Vec<&String> = free.iter().filter(looks_alike).collect();
            match alike[..] {
                [] => {}
                [column] => {
                    let candidate = Candidate { column: column.clone(), rank: 0, reason: Reason::Values };
                    self.chosen.insert(target, candidate);
                }
                _ => {
                    let columns = alike.into_iter().cloned().collect();
                    self.faults.push(MatchFault::Ambiguous { target, columns });
                }
            }
        }
    }

    /// Derives settings for all rows from column names: the persons whose impressions are counted, the number
    /// of weeks and the currency of rates, and the order of height and width in sizes.
    fn read_names(&mut self) {
        let name =
            |target| self.chosen.get(target).map(|found| (found.column.clone(), Name::of(&found.column)));
        let mut constants = Vec::new();
        if let Some((column, name)) = name("weekly_impressions") {
            let persons = name.impressions().and_then(|impressions| impressions.persons);
            constants.extend(persons.map(|persons| ("persons", persons.to_owned(), column)));
        }
        if let Some((column, name)) = name("rate") {
            let rate = name.rate().unwrap_or_default();
            constants.extend(rate.weeks.map(|weeks| ("rate_weeks", weeks.to_string(), column.clone())));
            constants.extend(rate.currency.map(|code| ("rate_currency", code.to_owned(), column)));
        }
        self.notation.is_width_first = name("size").is_some_and(|(_, name)| name.is_width_first());
        for (target, constant, column) in constants {
            if !self.chosen.contains_key(target) {
                self.constants.insert(target, (constant, column));
            }
        }
    }

    fn find_dates(&mut self) {
        for target in self.schema.targets.iter().filter(|target| target.form == Form::Date) {
            let Some(Candidate { column, .. }) = self.chosen.get(target.name) else { continue };
            let values = self.samples.values(column).iter().map(String::as_str);
            match date_forms(values.filter(|value| !(target.is_understood)(value))) {
                DateForms::None | DateForms::NoValues => {}
                DateForms::One(form) => {
                    self.notation.dates.insert(target.name, form);
                }
                DateForms::Several(forms) => {
                    let column = column.clone();
                    self.faults.push(MatchFault::Dates { target: target.name, column, forms });
                }
            }
        }
    }

    /// Determines the unit for sizes without a unit from the names of the size columns. Adds a fault if the
    /// names contain different units, or if the numbers in a height or width column are small enough to be
    /// either feet or inches. In a column with the target's exact name, such numbers are inches.
    fn find_units(&mut self) {
        let mut units = BTreeMap::new();
        for target in ["size", "height", "width"] {
            let Some(Candidate { column, reason, .. }) = self.chosen.get(target) else { continue };
            let unit = Name::of(column).without_unit().1;
            let numbers = || self.samples.values(column).iter().filter_map(|value| value.parse::<f64>().ok());
            let is_named = *reason == Reason::OwnName || target == "size";
            if let Some(unit) = unit {
                units.insert(unit.name(), unit);
            } else if !is_named && numbers().next().is_some() && numbers().all(|number| number <= MOST_FEET) {
                self.faults.push(MatchFault::Units { column: column.clone() });
            }
        }
        if units.len() > 1 {
            self.faults.push(MatchFault::SeveralUnits(units.keys().copied().collect()));
        }
        if let (1, Some((_, unit))) = (units.len(), units.pop_first()) {
            self.notation.units = Some(unit);
        }
    }

    fn require(&mut self, has_positions: bool) {
        let is_found = |target: &str| {
            self.chosen.contains_key(target) || self.faults.iter().any(|fault| fault.target() == Some(target))
        };
        let required = self.schema.required.iter();
        let required = required.filter(|required| !(required.is_coordinate && has_positions));
        let missing = required.filter(|required| !is_found(required.target));
        let fault = |Required { target, .. }: &Required| {
            self.unreadable(target).unwrap_or_else(|| MatchFault::Missing((*target).to_owned()))
        };
        let mut faults: Vec<MatchFault> = missing.map(fault).collect();
        let any_of = self.schema.any_of;
        if !any_of.is_empty() && !any_of.iter().any(|target| is_found(target)) {
            faults.push(MatchFault::Missing(any_of.join(" or ")));
        }
        self.faults.extend(faults);
    }

    /// Returns a fault if a column's name indicates the target but none of its values is valid for the
    /// target.
    fn unreadable(&self, target: &'static str) -> Option<MatchFault> {
        let is_named = |column: &&String| {
            let targets = self.schema.targets.iter().filter(|known| known.name == target);
            !candidates(column, targets).is_empty()
        };
        let column = self.samples.columns().iter().find(is_named)?;
        let example = self.samples.values(column).first()?.clone();
        Some(MatchFault::Unreadable { target, column: column.clone(), example })
    }

    /// If required columns are missing, looks for a row below the header that names more targets. If there is
    /// one, replaces all faults with one that identifies this row as the actual header.
    fn look_for_header(&mut self, file: &mut RowReader<'_>) -> Result<(), FileError> {
        if !self.faults.iter().any(|fault| matches!(fault, MatchFault::Missing(_))) {
            return Ok(());
        }
        let score = |cells: &[String]| {
            let best = |cell: &String| candidates(cell, self.schema.targets.iter()).into_iter().next();
            let targets = cells.iter().filter_map(best).map(|(target, _)| target.name);
            targets.collect::<BTreeSet<&str>>().len()
        };
        if let Some(row) = file.likely_header(score, FEWEST_TARGETS)? {
            self.faults = vec![MatchFault::Header { row }];
        }
        Ok(())
    }
}

/// The minimum number of targets that a row must name to be considered a header.
const FEWEST_TARGETS: usize = 3;

/// The maximum height or width that could be in feet. If a column without a unit contains a larger number,
/// all of its numbers are assumed to be in inches.
const MOST_FEET: f64 = 100.0;
