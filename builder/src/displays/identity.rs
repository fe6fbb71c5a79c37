//! Which spots are the same, and the ids of those that came without one.

use std::collections::HashMap;
use std::path::Path;

use dataset::inventory::record::Record;
use dataset::inventory::{FieldSet, Inventory, SpotId};
use dataset::{derived_id, normalize};
use thiserror::Error;

use crate::build::About;
use crate::build::file_row::{FileRow, Files};
use crate::rows::quoted;

/// Eight digits.
const DERIVED: std::ops::Range<u64> = 10_000_000..100_000_000;

/// What two rows share when they are the same spot: the operator, without regard to case, accents and space,
/// and the operator's own id of the spot.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SpotIdentity {
    operator: String,
    plant_spot_id: String,
}

impl SpotIdentity {
    pub(super) fn of(operator: Option<&str>, plant_spot_id: &str) -> Self {
        Self { operator: normalize(operator.unwrap_or_default()), plant_spot_id: plant_spot_id.to_owned() }
    }

    /// Takes the first operator and the first id of an operator's own.
    fn of_record(record: &Record<'_>) -> Option<Self> {
        let mut accounts =
            record.representations.iter().flatten().flatten().filter_map(|one| one.account.as_ref());
        let operator = accounts.find_map(|account| account.name.as_deref());
        let faces = record.layouts.iter().flatten().flat_map(|layout| layout.faces.iter().flatten());
        let mut spots = faces.flat_map(|face| face.spots.iter().flatten());
        let plant_spot_id = spots.find_map(|spot| spot.plant_spot_id.as_deref())?;
        Some(Self::of(operator, plant_spot_id))
    }

    /// Returns the number that follows from it, in every release.
    fn number(&self) -> u64 {
        derived_id(&[&self.operator, &self.plant_spot_id], DERIVED)
    }
}

/// The ids and identities that are in use.
#[derive(Debug)]
pub(crate) struct Taken<'a> {
    base: Option<&'a Inventory>,
    /// The spots of the base by what they are; read when it is first asked for.
    spots: Option<HashMap<SpotIdentity, SpotId>>,
    /// The one source whose spots a row without an id may take the place of; `None` for those of any.
    own: Option<&'a str>,
    /// The rows of the ids that rows have, and whether they were derived.
    ids: HashMap<SpotId, (FileRow, bool)>,
    /// The rows of the identities that rows have.
    identities: HashMap<SpotIdentity, FileRow>,
    files: Files,
}

/// Why a row gets no id.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum ClaimError {
    #[error("{row} has the same spot_id {id}")]
    SameId { row: String, id: SpotId },
    #[error(
        "{row} has the spot_id {id}, which was derived for it: put it behind this row, or give it another \
         spot_id"
    )]
    DerivedId { row: String, id: SpotId },
    #[error("{0} has the same operator and plant_spot_id")]
    SameSpot(String),
    #[error(
        "spot {id} of the release has the same operator and plant_spot_id, and is of another source, {}: \
         name the operator, in a column or a constant of the map, or import with --replace",
        quoted(of)
    )]
    OfAnotherSource { id: SpotId, of: String },
    #[error("spot_id and plant_spot_id are missing; one of them is needed")]
    Nothing,
}

/// An id that a row has got.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claimed {
    pub(super) id: SpotId,
    /// Whether the release had a spot of this id.
    pub(super) is_replacing: bool,
}

impl<'a> Taken<'a> {
    /// Begins with the spots of a release.
    pub(crate) fn by(base: Option<&'a Inventory>) -> Self {
        Self {
            base,
            spots: None,
            own: None,
            ids: HashMap::new(),
            identities: HashMap::new(),
            files: Files::default(),
        }
    }

    /// Lets a row without an id take the place of spots of one source alone.
    pub(crate) fn of_source(self, own: &'a str) -> Self {
        Self { own: Some(own), ..self }
    }

    /// Goes on with the rows of a file.
    pub(super) fn begin(&mut self, file: &Path) {
        self.files.begin(file);
    }

    /// Gives a row the id that it brings, or the one that follows from what it is; or says which row has it.
    pub(super) fn claim(
        &mut self,
        line: u64,
        given: Option<SpotId>,
        identity: Option<&SpotIdentity>,
    ) -> Result<Claimed, ClaimError> {
        let id = match (given, identity) {
            (Some(given), _) => match self.ids.get(&given) {
                None => given,
                Some((row, is_derived)) => {
                    let (row, id) = (self.files.name(*row), given);
                    return Err(match is_derived {
                        true => ClaimError::DerivedId { row, id },
                        false => ClaimError::SameId { row, id },
                    });
                }
            },
            (None, Some(identity)) => match self.identities.get(identity) {
                None => self.derived(identity)?,
                Some(row) => return Err(ClaimError::SameSpot(self.files.name(*row))),
            },
            (None, None) => return Err(ClaimError::Nothing),
        };
        let row = self.files.row(line);
        self.ids.insert(id, (row, given.is_none()));
        if let Some(identity) = identity {
            self.identities.entry(identity.clone()).or_insert(row);
        }
        Ok(Claimed { id, is_replacing: self.is_in_base(id) })
    }

    /// Returns the id of the spot of the release that is the same; else the number that follows from what it
    /// is, or the next one that is free.
    fn derived(&mut self, identity: &SpotIdentity) -> Result<SpotId, ClaimError> {
        let base = self.base;
        let spots = self.spots.get_or_insert_with(|| base.map(identities).unwrap_or_default());
        if let Some(same) = spots.get(identity).copied().filter(|same| !self.ids.contains_key(same)) {
            return self.replaceable(same);
        }
        let first = identity.number();
        let mut numbers = (first..DERIVED.end).chain(DERIVED.start..first);
        let id = |number| SpotId::from_raw(u32::try_from(number).expect("eight digits fit"));
        let free =
            numbers.find(|number| !self.ids.contains_key(&id(*number)) && !self.is_in_base(id(*number)));
        Ok(id(free.expect("fewer spots than eight-digit numbers")))
    }

    /// Returns the id of a spot of the release whose place a row may take.
    fn replaceable(&self, id: SpotId) -> Result<SpotId, ClaimError> {
        let (Some(own), Some(base)) = (self.own, self.base) else { return Ok(id) };
        let source = base.find(id).map(|index| base.source(index).name);
        match source.filter(|source| source != own || own == About::UNNAMED) {
            Some(of) => Err(ClaimError::OfAnotherSource { id, of }),
            None => Ok(id),
        }
    }

    fn is_in_base(&self, id: SpotId) -> bool {
        self.base.is_some_and(|base| base.find(id).is_some())
    }
}

/// Returns the spots of a release by what they are; of two that are the same, the one of the lower id.
fn identities(base: &Inventory) -> HashMap<SpotIdentity, SpotId> {
    const PLANT_SPOT_ID: FieldSet = FieldSet::at("layouts.faces.spots.plant_spot_id").expect("a path");
    const ACCOUNT_NAME: FieldSet = FieldSet::at("representations.account.name").expect("a path");
    let fields = PLANT_SPOT_ID.or(ACCOUNT_NAME);
    let mut spots = HashMap::with_capacity(base.len());
    for index in base.indexes() {
        if let Some(identity) = SpotIdentity::of_record(&base.record(index, fields)) {
            spots.entry(identity).or_insert(base.id(index));
        }
    }
    spots
}
