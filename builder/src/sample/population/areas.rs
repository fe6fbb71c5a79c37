//! Counts the residents in all geographies.

use std::collections::BTreeMap;

use dataset::{Geography, GeographyId, GeographyIndex, GeographyType};

use super::parts::Part;
use super::residents::Residents;
use super::sources::{Site, Sources};

/// A geography and the residents counted in it so far.
#[derive(Debug, Default)]
pub(super) struct CountedArea<'a> {
    name: &'a str,
    pub(super) residents: Residents,
    /// The row in the source table. It's `None` unless the geography is a county or a ZIP code.
    site: Option<&'a Site>,
}

/// All geographies, sorted by ID, as in the release files.
#[derive(Debug)]
pub(super) struct Areas<'a>(BTreeMap<GeographyId, CountedArea<'a>>);

impl<'a> Areas<'a> {
    /// Counts the residents in every geography.
    ///
    /// Each part of a ZIP code counts toward its county, and toward the county's state and markets. If a ZIP
    /// code is in a different market than the county to which it's assigned, all of its parts count toward
    /// the ZIP code's market.
    pub(super) fn count(sources: &'a Sources, parts: &[Part]) -> Self {
        let nation = GeographyId::new(GeographyType::Nation, 0);
        let wholes = [&sources.states, &sources.dmas, &sources.cbsas].into_iter().flatten();
        let wholes = wholes.map(|(id, name)| (*id, name.as_str())).chain([(nation, "United States")]);
        let wholes = wholes.map(|(id, name)| (id, CountedArea { name, ..CountedArea::default() }));
        let sites = sources.counties.iter().chain(&sources.zips);
        let sites = sites.map(|(id, site)| {
            (*id, CountedArea { name: &site.name, site: Some(site), ..CountedArea::default() })
        });
        let mut areas = Self(wholes.chain(sites).collect());
        for Part { zip, county, residents } in parts {
            let (zip_site, county_site) = (&sources.zips[zip], &sources.counties[county]);
            let home = zip_site.county.and_then(|home| sources.counties[&home].dma);
            let dma = if zip_site.dma == home { county_site.dma } else { zip_site.dma };
            let wholes = [Some(nation), Some(county_site.state), Some(*county), county_site.cbsa, dma];
            for area in wholes.into_iter().flatten().chain([*zip]) {
                areas.of(area).residents += residents;
            }
        }
        areas
    }

    /// Returns the number of geographies of the given type.
    pub(super) fn of_type(&self, geography_type: GeographyType) -> usize {
        self.0.keys().filter(|id| id.geography_type() == geography_type).count()
    }

    /// Returns all areas in the same order as the release files.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &CountedArea<'a>> {
        self.0.values()
    }

    /// Returns all geographies in the format for the release.
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

    fn of(&mut self, id: GeographyId) -> &mut CountedArea<'a> {
        self.0.get_mut(&id).expect("every referenced geography exists")
    }
}
