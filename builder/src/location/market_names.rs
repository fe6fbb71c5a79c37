//! Finds TV markets by their various names in registers, such as `New York, NY`, `New York-Newark`, or `New
//! York (1)`.

use std::collections::{BTreeMap, BTreeSet};

use dataset::{Geographies, GeographyIndex, GeographyType, normalize};

use super::address::letters;
use super::locator::ZipArea;

/// Words that don't help to identify a market.
const QUALIFIERS: [&str; 5] = ["dma", "tv", "market", "metro", "area"];

/// An index of TV markets by city name.
#[derive(Debug, Default)]
pub(crate) struct MarketNames {
    markets: Vec<Market>,
    states: BTreeSet<String>,
}

#[derive(Debug)]
struct Market {
    index: GeographyIndex,
    name: MarketName,
    /// The states in which the market has ZIP codes.
    states: BTreeSet<String>,
}

/// The parts of a market's name.
#[derive(Debug)]
struct MarketName {
    /// The words in all city names, without states, ranks, and qualifiers.
    words: Vec<String>,
    /// The number of words in the first city's name.
    first_city: usize,
    /// The two-letter codes of the states at the end of the name.
    states: Vec<String>,
}

impl MarketNames {
    pub(super) fn of(geographies: &Geographies, areas: &[ZipArea]) -> Self {
        let states: BTreeSet<String> = areas.iter().map(|area| area.state.clone()).collect();
        let mut states_of: BTreeMap<GeographyIndex, BTreeSet<String>> = BTreeMap::new();
        for area in areas {
            let Some(dma) = area.dma else { continue };
            states_of.entry(dma).or_default().insert(area.state.clone());
        }
        let markets = geographies.of_type(GeographyType::Dma).map(|index| Market {
            index,
            name: MarketName::parse(geographies.get(index).name, &states),
            states: states_of.remove(&index).unwrap_or_default(),
        });
        Self { markets: markets.collect(), states }
    }

    /// Returns the markets that have the most leading words in common with a name. If the name ends with
    /// states, considers only markets in these states.
    pub(super) fn find(&self, name: &str) -> Vec<GeographyIndex> {
        let name = MarketName::parse(name, &self.states);
        let is_in = |market: &&Market| {
            name.states.is_empty() || name.states.iter().any(|state| market.states.contains(state))
        };
        let fit = |market: &Market| Some((name.common_words(&market.name)?, market.index));
        let fits: Vec<(usize, GeographyIndex)> = self.markets.iter().filter(is_in).filter_map(fit).collect();
        let best = fits.iter().map(|(words, _)| *words).max();
        fits.into_iter().filter(|(words, _)| Some(*words) == best).map(|(_, index)| index).collect()
    }
}

impl MarketName {
    fn parse(name: &str, known_states: &BTreeSet<String>) -> Self {
        let name = name.split('(').next().unwrap_or_default();
        let (cities, end) = name.split_once(',').unwrap_or((name, ""));
        let mut states: Vec<String> = end.split(['-', '/', ' ', ',']).map(str::to_owned).collect();
        if states.iter().all(|state| !known_states.contains(state)) {
            states = vec![letters(end)];
        }
        let mut cities = cities.trim();
        if let Some((before, state)) = cities.rsplit_once(' ').filter(|(_, end)| known_states.contains(*end))
        {
            cities = before;
            states.push(state.to_owned());
        }
        states.retain(|state| known_states.contains(state));
        let first = cities.split(['-', '/', '&', '\u{2013}']).map(words).find(|words| !words.is_empty());
        Self { words: words(cities), first_city: first.unwrap_or_default().len(), states }
    }

    /// Returns the number of leading words that two names have in common. Returns `None` unless these words
    /// are this entire name or include the other name's first city.
    fn common_words(&self, other: &Self) -> Option<usize> {
        let common = self.words.iter().zip(&other.words).take_while(|(one, other)| one == other).count();
        let is_whole = common >= other.first_city || common == self.words.len();
        (common > 0 && is_whole).then_some(common)
    }
}

fn words(text: &str) -> Vec<String> {
    let normalized = normalize(text);
    let words = normalized.split(|character: char| !character.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !QUALIFIERS.contains(word));
    let words = words.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
    let words = words.map(|word| match word {
        "fort" => "ft",
        "saint" => "st",
        word => word,
    });
    words.map(str::to_owned).collect()
}
