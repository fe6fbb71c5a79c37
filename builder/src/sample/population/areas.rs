//! Every geography with those who live there.

use std::collections::BTreeMap;

use dataset::{Geography, GeographyId, GeographyIndex, GeographyType, Position};

use super::people::People;
use super::residents::Residents;
use super::sources::Sources;
use super::zips;
use crate::cohorts::cells_of;

/// A geography that is being counted.
#[derive(Debug, Default)]
pub(super) struct Area {
    name: String,
    pub(super) residents: Residents,
    /// Where the source says that it is.
    position: Option<Position>,
    state: Option<GeographyId>,
    county: Option<GeographyId>,
    cbsa: Option<GeographyId>,
    dma: Option<GeographyId>,
}

/// All geographies, in the order of their ids, which is that of the files.
#[derive(Debug)]
pub(super) struct Areas(BTreeMap<GeographyId, Area>);

impl Areas {
    /// Counts every geography.
    pub(super) fn count(sources: &Sources, people: &BTreeMap<GeographyId, People>) -> Self {
        let named =
            |(id, name): (&GeographyId, &String)| (*id, Area { name: name.clone(), ..Area::default() });
        let nation = (GeographyId::new(GeographyType::Nation, 0), "United States".to_owned());
        let wholes = [&sources.states, &sources.dmas, &sources.cbsas];
        let wholes = wholes.into_iter().flatten().chain([(&nation.0, &nation.1)]);
        let mut areas = Self(wholes.map(named).collect());
        for (id, county) in &sources.counties {
            let people = &people[id];
            let cells = cells_of(county.population, &people.shares);
            let residents = Residents::new(county.population, people.households, cells, county.position);
            let wholes = [Some(nation.0), Some(county.state), county.cbsa, county.dma];
            wholes.into_iter().flatten().for_each(|whole| areas.of(whole).residents += &residents);
            areas.0.insert(
                *id,
                Area {
                    name: county.name.clone(),
                    residents,
                    position: Some(county.position),
                    state: Some(county.state),
                    county: None,
                    cbsa: county.cbsa,
                    dma: county.dma,
                },
            );
        }
        areas.count_zips(sources);
        areas
    }

    /// Returns how many there are of a type.
    pub(super) fn of_type(&self, geography_type: GeographyType) -> usize {
        self.0.keys().filter(|id| id.geography_type() == geography_type).count()
    }

    /// Returns every area, in the order of the files.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Area> {
        self.0.values()
    }

    /// Returns every geography, as its file holds it.
    pub(super) fn geographies(&self) -> impl Iterator<Item = Geography<'_>> + Clone {
        let indexes: BTreeMap<GeographyId, GeographyIndex> =
            self.0.keys().zip(0..).map(|(id, index)| (*id, GeographyIndex::from_raw(index))).collect();
        self.0.iter().map(move |(id, area)| {
            let index = |parent: Option<GeographyId>| parent.map(|parent| indexes[&parent]);
            Geography {
                id: *id,
                name: &area.name,
                population: area.residents.persons,
                households: area.residents.households,
                position: area.position.or_else(|| area.residents.middle()),
                state: index(area.state),
                county: index(area.county),
                cbsa: index(area.cbsa),
                dma: index(area.dma),
            }
        })
    }

    /// Spreads every county over its ZIP codes. Those that lie in another market than their county take their
    /// people there.
    fn count_zips(&mut self, sources: &Sources) {
        let mut by_county: BTreeMap<GeographyId, Vec<GeographyId>> = BTreeMap::new();
        sources.zips.iter().for_each(|(id, zip)| by_county.entry(zip.county).or_default().push(*id));
        for (county, ids) in by_county {
            let zips: Vec<_> =
                ids.iter().map(|id| (sources.zips[id].weight, sources.zips[id].position)).collect();
            let (market, parts) =
                (sources.counties[&county].dma, zips::spread(&self.of(county).residents, &zips));
            for (id, residents) in ids.into_iter().zip(parts) {
                let zip = &sources.zips[&id];
                if zip.dma != market {
                    market.into_iter().for_each(|from| self.of(from).residents -= &residents);
                    zip.dma.into_iter().for_each(|to| self.of(to).residents += &residents);
                }
                self.0.insert(
                    id,
                    Area {
                        name: zip.name.clone(),
                        residents,
                        position: Some(zip.position),
                        state: Some(zip.state),
                        county: Some(county),
                        cbsa: zip.cbsa,
                        dma: zip.dma,
                    },
                );
            }
        }
    }

    fn of(&mut self, id: GeographyId) -> &mut Area {
        self.0.get_mut(&id).expect("a geography that the sources were found to name")
    }
}
