//! Finds the areas in a state. An area with several counties can be in several states.

use std::collections::BTreeSet;

use super::geography::{Geography, GeographyIndex};
use super::id::GeographyType;
use super::table::Geographies;

impl Geographies {
    /// Returns the areas of a type that include a county or ZIP code in a state, sorted by code.
    ///
    /// ZIP codes matter for television markets that don't include a whole county. For example, the Palm
    /// Springs market consists of ZIP codes in counties that belong to other markets. The nation isn't in any
    /// state.
    pub fn of_type_in(&self, geography_type: GeographyType, state: GeographyIndex) -> Vec<GeographyIndex> {
        use GeographyType::{County, Dma, Micropolitan, Msa, Nation, State, Zip};

        match geography_type {
            Nation => Vec::new(),
            State => self.of_type(State).filter(|area| *area == state).collect(),
            County | Zip => {
                self.of_type(geography_type).filter(|area| self.get(*area).state == Some(state)).collect()
            }
            Dma => self.with_a_part_in(state, |part| part.dma),
            Msa | Micropolitan => {
                let cbsas = self.with_a_part_in(state, |part| part.cbsa).into_iter();
                cbsas.filter(|area| self.get(*area).id.geography_type() == geography_type).collect()
            }
        }
    }

    fn with_a_part_in(
        &self,
        state: GeographyIndex,
        whole: fn(Geography<'_>) -> Option<GeographyIndex>,
    ) -> Vec<GeographyIndex> {
        let parts = self.of_type(GeographyType::County).chain(self.of_type(GeographyType::Zip));
        let parts = parts.map(|part| self.get(part)).filter(|part| part.state == Some(state));
        parts.filter_map(whole).collect::<BTreeSet<_>>().into_iter().collect()
    }
}
