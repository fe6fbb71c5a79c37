//! Common names of areas that differ from their names in a release.

use super::id::GeographyType::{self, County, Dma, Msa, State};

const NEW_YORK_COUNTIES: &[u32] = &[36_005, 36_047, 36_061, 36_081, 36_085];

/// Common names, normalized like the keys in [`AreaNames`](super::AreaNames), each with the type and the
/// codes of the areas that it refers to.
///
/// The boroughs' counties are from New York City's geography reference
/// (https://www.nyc.gov/site/planning/planning-level/nyc-population/nyc-population-geographies.page), and the
/// states' abbreviations from the GPO Style Manual, chapter 9
/// (https://www.govinfo.gov/app/details/GPO-STYLEMANUAL-2016). A market is listed under the name and the
/// nicknames of its first city, unless another market of the same type has that name.
pub(super) const ALIASES: [(&str, GeographyType, &[u32]); 39] = [
    ("brooklyn", County, &[36_047]),
    ("manhattan", County, &[36_061]),
    ("staten island", County, &[36_085]),
    ("the bronx", County, &[36_005]),
    ("nyc", County, NEW_YORK_COUNTIES),
    ("new york city", County, NEW_YORK_COUNTIES),
    ("nyc", Dma, &[501]),
    ("new york city", Dma, &[501]),
    ("philly", Dma, &[504]),
    ("boston", Dma, &[506]),
    ("cleveland", Dma, &[510]),
    ("dc", Dma, &[511]),
    ("washington", Dma, &[511]),
    ("washington dc", Dma, &[511]),
    ("miami", Dma, &[528]),
    ("tampa", Dma, &[539]),
    ("raleigh", Dma, &[560]),
    ("minneapolis", Dma, &[613]),
    ("twin cities", Dma, &[613]),
    ("dallas", Dma, &[623]),
    ("dfw", Dma, &[623]),
    ("phoenix", Dma, &[753]),
    ("la", Dma, &[803]),
    ("bay area", Dma, &[807]),
    ("san francisco", Dma, &[807]),
    ("sf", Dma, &[807]),
    ("seattle", Dma, &[819]),
    ("vegas", Dma, &[839]),
    ("la", Msa, &[31_080]),
    ("los angeles", Msa, &[31_080]),
    ("new york", Msa, &[35_620]),
    ("new york city", Msa, &[35_620]),
    ("nyc", Msa, &[35_620]),
    ("san francisco", Msa, &[41_860]),
    ("sf", Msa, &[41_860]),
    ("calif", State, &[6]),
    ("washington dc", State, &[11]),
    ("mass", State, &[25]),
    ("penn", State, &[42]),
];
