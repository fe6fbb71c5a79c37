//! A display's data for estimates, and its stored form.

use strum::VariantArray;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::environment::Environment;
use crate::inventory::{Field, Record};

/// A display's surroundings, impressions, and share of voice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DisplayExposure {
    /// The position of the display's ZIP code among the ZIP codes in the release. `None` if the record has no
    /// ZIP code or the release doesn't contain it.
    pub zip: Option<u16>,
    pub environment: Environment,
    /// Whether the display is digital. False if the record doesn't specify it.
    pub digital: bool,
    pub impressions: Option<Impressions>,
    pub share_of_voice: Option<ShareOfVoice>,
}

/// The impressions of a display in an average week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impressions {
    pub weekly: u64,
    /// The age group whose impressions are counted: `All` if the record doesn't specify one.
    pub persons: Persons,
    /// Whether the impressions are for a single spot instead of the whole display.
    pub are_of_spot: bool,
    /// Whether the impressions are modelled instead of provided by the media owner.
    pub are_modelled: bool,
}

/// The age group whose impressions are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, VariantArray)]
pub enum Persons {
    All,
    /// People aged 5 and older.
    From5,
    /// People aged 18 and older.
    From18,
}

/// A spot's share of the display time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareOfVoice {
    /// The share, from 0 to 1.
    pub share: f64,
    pub is_modelled: bool,
}

/// A stored display. The ID is in a separate section.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Row {
    zip: U16,
    /// The weekly impressions, as a little-endian number.
    impressions: [u8; IMPRESSION_BYTES],
    /// The share of voice, in billionths.
    share: U32,
    /// Starting from the lowest bit: the environment (2 bits), the persons (2 bits), and one bit for each of
    /// the flags below.
    bits: u8,
}

/// The size of the impressions in bytes. Five bytes are enough for the maximum that a record can contain.
const IMPRESSION_BYTES: usize = 5;

/// The stored value for unknown impressions.
const NO_IMPRESSIONS: u64 = (1 << (8 * IMPRESSION_BYTES)) - 1;

/// The stored value for an unknown ZIP code.
const NO_ZIP: u16 = u16::MAX;

/// The stored value for an unknown share of voice.
const NO_SHARE: u32 = u32::MAX;

const BILLION: f64 = 1e9;

const DIGITAL: u8 = 1 << 4;
const OF_SPOT: u8 = 1 << 5;
const MODELLED_IMPRESSIONS: u8 = 1 << 6;
const MODELLED_SHARE: u8 = 1 << 7;

impl DisplayExposure {
    /// Derives the exposure from a record, which must include the fields in [`table::FIELDS`](super::table).
    pub(super) fn of(record: &Record<'_>, zip: Option<u16>) -> Self {
        Self {
            zip,
            environment: Environment::of(record),
            digital: record.digital == Some(true),
            impressions: Impressions::of(record),
            share_of_voice: ShareOfVoice::of(record),
        }
    }
}

impl Impressions {
    fn of(record: &Record<'_>) -> Option<Self> {
        Some(Self {
            weekly: u64::try_from(record.weekly_impressions?).ok().filter(|one| *one < NO_IMPRESSIONS)?,
            persons: match record.persons.as_deref() {
                Some("5+") => Persons::From5,
                Some("18+") => Persons::From18,
                _ => Persons::All,
            },
            are_of_spot: record.impressions_of.as_deref() == Some("spot"),
            are_modelled: record.is_modelled(Field::WeeklyImpressions),
        })
    }
}

impl ShareOfVoice {
    /// Returns the share of the record's own spot or, if that's missing or empty, the share in the first
    /// layout that has one. Returns `None` if there is no share, or if it isn't a number from 0 to 1.
    fn of(record: &Record<'_>) -> Option<Self> {
        let is_stated = |text: &&str| !text.is_empty();
        let own = record.own_spot().and_then(|spot| spot.spot_share_of_voice.as_deref());
        let own = own.filter(is_stated).map(|text| (text, Field::FaceSpotSpotShareOfVoice));
        let mut layouts = record.layouts.iter().flatten();
        let of_layout = layouts.find_map(|layout| layout.spot_share_of_voice.as_deref().filter(is_stated));
        let (text, field) = own.or(of_layout.map(|text| (text, Field::LayoutSpotShareOfVoice)))?;
        let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share))?;
        Some(Self { share, is_modelled: record.is_modelled(field) })
    }
}

impl Row {
    pub(super) fn surroundings(&self) -> Option<(u16, Environment)> {
        let zip = Some(self.zip.get()).filter(|zip| *zip != NO_ZIP)?;
        Some((zip, Environment::VARIANTS[usize::from(self.bits & 3)]))
    }
}

impl From<&DisplayExposure> for Row {
    fn from(display: &DisplayExposure) -> Self {
        let DisplayExposure { zip, environment, digital, impressions, share_of_voice } = *display;
        let weekly = impressions.map_or(NO_IMPRESSIONS, |impressions| impressions.weekly);
        let persons = impressions.map_or(Persons::All, |impressions| impressions.persons);
        let flags = [
            (digital, DIGITAL),
            (impressions.is_some_and(|impressions| impressions.are_of_spot), OF_SPOT),
            (impressions.is_some_and(|impressions| impressions.are_modelled), MODELLED_IMPRESSIONS),
            (share_of_voice.is_some_and(|share| share.is_modelled), MODELLED_SHARE),
        ];
        let flags = flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |bits, (_, bit)| bits | bit);
        let [first, second, third, fourth, fifth, ..] = weekly.to_le_bytes();
        let share =
            share_of_voice.map_or(NO_SHARE, |ShareOfVoice { share, .. }| (share * BILLION).round() as u32);
        Self {
            zip: U16::new(zip.unwrap_or(NO_ZIP)),
            impressions: [first, second, third, fourth, fifth],
            share: U32::new(share),
            bits: environment as u8 | (persons as u8) << 2 | flags,
        }
    }
}

impl From<&Row> for DisplayExposure {
    fn from(row: &Row) -> Self {
        let has = |bit: u8| row.bits & bit != 0;
        let [first, second, third, fourth, fifth] = row.impressions;
        let weekly = u64::from_le_bytes([first, second, third, fourth, fifth, 0, 0, 0]);
        let impressions = Impressions {
            weekly,
            persons: *Persons::VARIANTS.get(usize::from(row.bits >> 2 & 3)).unwrap_or(&Persons::All),
            are_of_spot: has(OF_SPOT),
            are_modelled: has(MODELLED_IMPRESSIONS),
        };
        let share = f64::from(row.share.get()) / BILLION;
        let share_of_voice = ShareOfVoice { share, is_modelled: has(MODELLED_SHARE) };
        Self {
            zip: Some(row.zip.get()).filter(|zip| *zip != NO_ZIP),
            environment: Environment::VARIANTS[usize::from(row.bits & 3)],
            digital: has(DIGITAL),
            impressions: (weekly != NO_IMPRESSIONS).then_some(impressions),
            share_of_voice: (row.share.get() != NO_SHARE).then_some(share_of_voice),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::option;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn impressions() -> impl Strategy<Value = Impressions> {
        let fields = (0..=1_000_000_000_000_u64, select(Persons::VARIANTS), any::<bool>(), any::<bool>());
        fields.prop_map(|(weekly, persons, are_of_spot, are_modelled)| Impressions {
            weekly,
            persons,
            are_of_spot,
            are_modelled,
        })
    }

    fn share_of_voice() -> impl Strategy<Value = ShareOfVoice> {
        let share = (0..=10_000_000_u32).prop_map(|share| f64::from(share) / 1e7);
        (share, any::<bool>()).prop_map(|(share, is_modelled)| ShareOfVoice { share, is_modelled })
    }

    proptest! {
        #[test]
        fn rows_round_trip(
            zip in option::of(0..NO_ZIP),
            environment in select(Environment::VARIANTS),
            digital in any::<bool>(),
            impressions in option::of(impressions()),
            share_of_voice in option::of(share_of_voice()),
        ) {
            let display = DisplayExposure { zip, environment, digital, impressions, share_of_voice };
            prop_assert_eq!(DisplayExposure::from(&Row::from(&display)), display);
        }
    }
}
