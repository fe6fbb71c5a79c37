//! Counts the residents of all geographies.

use std::collections::BTreeMap;

use dataset::{Geography, GeographyId, GeographyIndex, GeographyType};

use super::people::People;
use super::residents::Residents;
use super::sources::{Site, Sources};
use super::zips;
use crate::cohorts::cells_of;

/// A geography, and the residents counted so far.
#[derive(Debug, Default)]
pub(super) struct CountedArea<'a> {
    name: &'a str,
    pub(super) residents: Residents,
    /// The row of the source table, for counties and ZIP codes.
    site: Option<&'a Site>,
}

/// All geographies, in ascending order of their IDs. The release files have the same order.
#[derive(Debug)]
pub(super) struct Areas<'a>(BTreeMap<GeographyId, CountedArea<'a>>);

impl<'a> Areas<'a> {
    /// Counts the residents of every geography.
    pub(super) fn count(sources: &'a Sources, people: &BTreeMap<GeographyId, People>) -> Self {
        let nation = GeographyId::new(GeographyType::Nation, 0);
        let wholes = [&sources.states, &sources.dmas, &sources.cbsas].into_iter().flatten();
        let wholes = wholes.map(|(id, name)| (*id, name.as_str())).chain([(nation, "United States")]);
        let mut areas =
            Self(wholes.map(|(id, name)| (id, CountedArea { name, ..CountedArea::default() })).collect());
        for (id, county) in &sources.counties {
            let People { shares, households } = &people[id];
            let cells = cells_of(county.persons, shares);
            let residents = Residents::new(county.persons, *households, cells, county.position);
            let wholes = [Some(nation), Some(county.state), county.cbsa, county.dma];
            wholes.into_iter().flatten().for_each(|whole| areas.of(whole).residents += &residents);
            areas.0.insert(*id, CountedArea { name: &county.name, residents, site: Some(county) });
        }
        areas.count_zips(sources);
        areas
    }

    /// Returns the number of geographies of a type.
    pub(super) fn of_type(&self, geography_type: GeographyType) -> usize {
        self.0.keys().filter(|id| id.geography_type() == geography_type).count()
    }

    /// Returns all areas in the order of the release files.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &CountedArea<'a>> {
        self.0.values()
    }

    /// Returns all geographies in the form in which they're written to the release.
    pub(super) fn geographies(&self) -> impl Iterator<Item = Geography<'_>> + Clone {
        let indexes: BTreeMap<GeographyId, GeographyIndex> =
            self.0.keys().zip(0..).map(|(id, index)| (*id, GeographyIndex::from_raw(index))).collect();
        self.0.iter().map(move |(id, area)| {
            let CountedArea { name, residents, site } = area;
            let parent = |of: fn(&Site) -> Option<GeographyId>| Some(indexes[&of((*site)?)?]);
            Geography {
                id: *id,
                name,
                population: residents.persons,
                households: residents.households,
                position: site.map(|site| site.position).or_else(|| residents.middle()),
                state: parent(|site| Some(site.state)),
                county: parent(|site| site.county),
                cbsa: parent(|site| site.cbsa),
                dma: parent(|site| site.dma),
            }
        })
    }

    /// Distributes the residents of each county over its ZIP codes. If a ZIP code is in a different market
    /// than its county, moves the residents of the ZIP code to that market.
    fn count_zips(&mut self, sources: &'a Sources) {
        let mut by_county = BTreeMap::<_, Vec<(GeographyId, &Site)>>::new();
        for (id, zip) in &sources.zips {
            by_county.entry(zip.county).or_default().push((*id, zip));
        }
        for (id, county) in &sources.counties {
            let zips = by_county.remove(&Some(*id)).unwrap_or_default();
            let weights: Vec<_> = zips.iter().map(|(_, zip)| (zip.persons, zip.position)).collect();
            let parts = zips::spread(&self.of(*id).residents, &weights);
            for ((id, zip), residents) in zips.into_iter().zip(parts) {
                if zip.dma != county.dma {
                    county.dma.into_iter().for_each(|from| self.of(from).residents -= &residents);
                    zip.dma.into_iter().for_each(|to| self.of(to).residents += &residents);
                }
                self.0.insert(id, CountedArea { name: &zip.name, residents, site: Some(zip) });
            }
        }
    }

    fn of(&mut self, id: GeographyId) -> &mut CountedArea<'a> {
        self.0.get_mut(&id).expect("every referenced geography exists")
    }
}
