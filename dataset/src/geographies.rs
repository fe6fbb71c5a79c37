//! The catalogue of all geographies.

use crate::{GeographyId, GeographyType};

/// The geographies that exist: a market is made of these and no others.
///
/// ```
/// use dataset::Geographies;
///
/// let geographies = Geographies::bundled();
/// assert!(geographies.contains(&"US2020XDMA501".parse()?));
/// assert!(!geographies.contains(&"US2020XDMA999".parse()?));
/// # Ok::<(), dataset::ParseGeographyIdError>(())
/// ```
#[derive(Debug)]
pub struct Geographies {
    /// Ascending little-endian codes; the list of a type lies at the type's own position.
    codes: [&'static [[u8; 4]]; GeographyType::ALL.len()],
}

/// Laid out at compile time: looking up needs no start-up work, and a catalogue of another form does
/// not compile.
static BUNDLED: Geographies =
    Geographies::from_catalogue(include_bytes!(concat!(env!("OUT_DIR"), "/geographies.catalogue")));

impl Geographies {
    /// The geographies built from the project's own tables.
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Whether the geography exists.
    pub fn contains(&self, id: &GeographyId) -> bool {
        let codes = self.codes[id.geography_type() as usize];
        codes.binary_search_by_key(&id.code(), |code| u32::from_le_bytes(*code)).is_ok()
    }

    /// How many geographies of a type there are.
    pub fn count(&self, geography_type: GeographyType) -> usize {
        self.codes[geography_type as usize].len()
    }

    /// Finds the lists in a catalogue as `build.rs` describes it.
    const fn from_catalogue(catalogue: &'static [u8]) -> Self {
        let (mut words, []) = catalogue.as_chunks::<4>() else {
            panic!("the catalogue is not made of 32-bit words");
        };
        let mut codes: [&[[u8; 4]]; GeographyType::ALL.len()] = [&[]; GeographyType::ALL.len()];
        while let [type_text, count, rest @ ..] = words {
            let Some(geography_type) = GeographyType::from_bytes(type_text) else {
                panic!("the catalogue lists an unknown type of geography");
            };
            (codes[geography_type as usize], words) = rest.split_at(u32::from_le_bytes(*count) as usize);
        }
        assert!(words.is_empty(), "the catalogue ends inside a list");
        Self { codes }
    }
}
