//! The layouts of the records, read: each record's form with its gaps filled.

use super::id::SpotId;
use super::layout_forms::{OwnValues, Token};
use super::record::Layout;
use crate::index::{Damage, Ordinals};
use crate::release::ReleaseError;
use crate::release::file::{Runs, SectionFile, Texts};

pub(super) const PIECES: &str = "layouts.pieces";
pub(super) const OWN: &str = "layouts.own";
pub(super) const SECTION: &str = "layouts";

/// The layouts of all records, in their file.
#[derive(Clone, Debug)]
pub(super) struct LayoutColumn {
    pieces: Texts,
    /// Tokens, each as a varint.
    forms: Runs,
    /// The form of each record.
    ordinals: Ordinals,
    /// What each record fills the gaps of its form with.
    own: Runs,
}

impl LayoutColumn {
    /// Opens the layouts of so many records.
    pub(super) fn open(file: &SectionFile, records: usize) -> Result<Self, ReleaseError> {
        let own = Runs::open(file, OWN)?;
        if own.len() != records {
            let found = own.len();
            return Err(file.inconsistent(format!("{SECTION}: has {found} values; expected {records}")));
        }
        Ok(Self {
            pieces: file.texts(PIECES)?,
            forms: Runs::open(file, SECTION)?,
            ordinals: Ordinals::open_packed(file, SECTION, records)?,
            own,
        })
    }

    /// Appends a spot's layouts as JSON, and nothing when it has none.
    pub(super) fn write_json(&self, spot: u32, id: SpotId, out: &mut Vec<u8>) {
        // Of what is not as it was written, the check says so.
        self.fill(spot, id, out).unwrap_or_default();
    }

    /// Fills the gaps of a spot's form; `None` where something is missing.
    fn fill(&self, spot: u32, id: SpotId, out: &mut Vec<u8>) -> Option<()> {
        let Some(form) = self.ordinals.get(spot) else { return Some(()) };
        let (mut tokens, mut own) = (self.forms.get(form as usize), OwnValues(self.own.get(spot as usize)));
        let id = i64::from(id.raw());
        let (mut number, mut text) = (id, 0..0);
        while !tokens.is_empty() {
            let (raw, rest) = postcard::take_from_bytes(tokens).ok()?;
            tokens = rest;
            match Token::from_raw(raw) {
                Token::Piece(piece) => out.extend_from_slice(self.pieces.get(piece as usize).as_bytes()),
                Token::NearId(distance) => push_number(id + i64::from(distance), out),
                Token::OwnNumber => {
                    number = number.wrapping_add(own.number()?);
                    push_number(number, out);
                }
                Token::OwnText => text = own.text(out)?,
                Token::SameText => out.extend_from_within(text.clone()),
            }
        }
        Some(())
    }

    /// Checks that all forms and gaps are there, and what they give are layouts.
    pub(super) fn check(&self, ids: impl Iterator<Item = SpotId>) -> Result<(), Damage> {
        let forms = self.forms.len();
        self.ordinals.check(forms)?;
        let is_known = |form: usize| {
            let mut tokens = self.forms.get(form);
            while let Ok((raw, rest)) = postcard::take_from_bytes(tokens) {
                tokens = rest;
                if matches!(Token::from_raw(raw), Token::Piece(piece) if piece as usize >= self.pieces.len())
                {
                    return false;
                }
            }
            tokens.is_empty()
        };
        let are_whole = self.pieces.are_sound()
            && self.forms.are_sound()
            && self.own.are_sound()
            && (0..forms).all(is_known);
        let mut json = Vec::new();
        let mut are_layouts = |(spot, id): (u32, SpotId)| {
            json.clear();
            self.fill(spot, id, &mut json).is_some()
                && (json.is_empty() == self.ordinals.get(spot).is_none())
                && (json.is_empty() || serde_json::from_slice::<Vec<Layout<'_>>>(&json).is_ok())
        };
        if are_whole && (0..).zip(ids).all(&mut are_layouts) { Ok(()) } else { Err(Damage::Layouts) }
    }
}

fn push_number(number: i64, out: &mut Vec<u8>) {
    serde_json::to_writer(out, &number).expect("written into memory");
}
