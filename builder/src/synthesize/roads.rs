//! Names of roads, as they are common in the United States, and how the trade describes places at them.

use std::fmt;

use crate::random_stream::RandomStream;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Road {
    /// A numbered highway: `I-95`, `US 1`, `SR 20`.
    Highway { network: &'static str, number: u64 },
    /// A street: `W 34TH ST`, `N LAKE AVE`.
    Street { side: &'static str, name: StreetName, kind: &'static str },
    /// A street whose name says what it is: `BROADWAY`.
    Named(&'static str),
}

/// What a street is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreetName {
    /// A word.
    Word(&'static str),
    /// A number: `34TH`.
    Ordinal(u64),
}

impl Road {
    /// Draws a highway.
    pub(super) fn highway(random: &mut RandomStream) -> Self {
        match random.below(10) {
            0..4 => Self::Highway { network: "I-", number: *random.pick(&INTERSTATES) },
            4..7 => Self::Highway { network: "US ", number: *random.pick(&US_ROUTES) },
            _ => Self::Highway { network: "SR ", number: 1 + random.low(400) },
        }
    }

    /// Draws a street.
    pub(super) fn street(random: &mut RandomStream) -> Self {
        if random.chance(120) {
            return Self::Named(NAMED[random.low(NAMED.len() as u64) as usize]);
        }
        let side = if random.chance(200) { random.pick(&["N ", "S ", "E ", "W "]) } else { "" };
        let kind = random.pick(&["ST", "ST", "ST", "AVE", "AVE", "BLVD", "RD", "RD", "DR", "PKWY", "LN"]);
        let name = if random.chance(250) {
            StreetName::Ordinal(1 + random.low(120))
        } else {
            StreetName::Word(WORDS[random.low(WORDS.len() as u64) as usize])
        };
        Self::Street { side, name, kind }
    }

    /// Draws a street that crosses another road; most of them are called by few names.
    fn crossing(random: &mut RandomStream) -> Self {
        match Self::street(random) {
            Self::Street { name: StreetName::Word(_), kind, .. } => {
                let word = WORDS[random.low(WORDS.len() as u64 / 2) as usize];
                Self::Street { side: "", name: StreetName::Word(word), kind }
            }
            Self::Street { name, kind, .. } => Self::Street { side: "", name, kind },
            other => other,
        }
    }

    pub(super) fn is_highway(self) -> bool {
        matches!(self, Self::Highway { .. })
    }
}

impl fmt::Display for Road {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Highway { network, number } => write!(f, "{network}{number}"),
            Self::Street { side, name: StreetName::Word(word), kind } => write!(f, "{side}{word} {kind}"),
            Self::Street { side, name: StreetName::Ordinal(number), kind } => {
                write!(f, "{side}{number}{} {kind}", ending(*number))
            }
            Self::Named(name) => f.write_str(name),
        }
    }
}

/// Describes a place at a road as operators do: by the road that crosses there, by an exit or a mile, or by
/// the road alone. What lies on the same side of the same corner has the same description.
pub(super) fn describe(road: Road, corner: u64, random: &mut RandomStream, side: &str) -> String {
    let form = random.below(100);
    let crossing = Road::crossing(random);
    match (road.is_highway(), form) {
        (true, 0..50) => format!("{road} {side} OF EXIT {}", 1 + random.low(90) + corner / 3),
        (true, 50..70) => format!("{road} & {crossing}"),
        (true, 70..90) => format!("{road} MILE {}", 1 + random.low(200)),
        (false, 0..50) => format!("{road} & {crossing}"),
        (false, 50..62) => format!("{road} {side} OF {crossing}"),
        _ => road.to_string(),
    }
}

fn ending(number: u64) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "TH",
        (1, _) => "ST",
        (2, _) => "ND",
        (3, _) => "RD",
        _ => "TH",
    }
}

const INTERSTATES: [u64; 44] = [
    5, 8, 10, 15, 20, 24, 25, 26, 29, 30, 35, 37, 40, 44, 45, 55, 57, 59, 64, 65, 69, 70, 71, 74, 75, 76, 77,
    79, 80, 81, 83, 84, 85, 87, 88, 90, 91, 93, 94, 95, 270, 285, 405, 495,
];

const US_ROUTES: [u64; 40] = [
    1, 2, 6, 9, 11, 12, 13, 17, 19, 20, 22, 23, 25, 27, 29, 30, 31, 33, 40, 41, 45, 50, 51, 54, 59, 60, 61,
    62, 64, 65, 66, 70, 75, 77, 80, 82, 90, 98, 101, 441,
];

/// The most common ones first; so of the words.
const NAMED: [&str; 24] = [
    "MAIN ST",
    "BROADWAY",
    "MARTIN LUTHER KING JR BLVD",
    "MARKET ST",
    "STATE ST",
    "CENTRAL AVE",
    "AIRPORT RD",
    "COLLEGE AVE",
    "UNIVERSITY AVE",
    "MARTIN LUTHER KING DR",
    "GRAND AVE",
    "PARK AVE",
    "COLUMBUS AVE",
    "VETERANS MEMORIAL HWY",
    "RIVERSIDE DR",
    "CESAR CHAVEZ AVE",
    "FRONTAGE RD",
    "OLD HWY",
    "BELTLINE RD",
    "COURTHOUSE SQ",
    "CANAL ST",
    "THE PIKE",
    "DIXIE HWY",
    "LINCOLN HWY",
];

const WORDS: [&str; 96] = [
    "MAPLE",
    "OAK",
    "WASHINGTON",
    "LAKE",
    "HILL",
    "PARK",
    "ELM",
    "PINE",
    "CEDAR",
    "WALNUT",
    "CHURCH",
    "HIGH",
    "JACKSON",
    "LINCOLN",
    "CHESTNUT",
    "SPRING",
    "JEFFERSON",
    "MILL",
    "RIVER",
    "WILLOW",
    "FRANKLIN",
    "MADISON",
    "CENTER",
    "SUNSET",
    "RIDGE",
    "ADAMS",
    "BRIDGE",
    "MONROE",
    "SPRUCE",
    "CHERRY",
    "DELAWARE",
    "HICKORY",
    "VALLEY",
    "FOREST",
    "HARRISON",
    "LIBERTY",
    "COURT",
    "SCHOOL",
    "WATER",
    "DIVISION",
    "POPLAR",
    "LOCUST",
    "CLAY",
    "MEADOW",
    "CLEVELAND",
    "HIGHLAND",
    "RAILROAD",
    "SYCAMORE",
    "PROSPECT",
    "VINE",
    "SUMMIT",
    "UNION",
    "CLINTON",
    "GREEN",
    "FRONT",
    "PEARL",
    "PLEASANT",
    "ROOSEVELT",
    "GARFIELD",
    "BIRCH",
    "DOGWOOD",
    "MAGNOLIA",
    "VIRGINIA",
    "GEORGIA",
    "CANYON",
    "MESA",
    "OCEAN",
    "HARBOR",
    "BAY",
    "LAUREL",
    "ASPEN",
    "COLORADO",
    "TEXAS",
    "PENNSYLVANIA",
    "FERRY",
    "CRESCENT",
    "FOUNTAIN",
    "QUARRY",
    "ORCHARD",
    "STADIUM",
    "INDUSTRIAL",
    "COMMERCE",
    "CAPITOL",
    "FAIR",
    "GROVE",
    "PALM",
    "PEACHTREE",
    "LOMBARD",
    "ALAMEDA",
    "CAMINO REAL",
    "WESTERN",
    "EASTERN",
    "KINGS",
    "QUEENS",
    "TURNER",
    "WHEELER",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roads_are_called_as_on_their_signs() {
        let street =
            |number, side| Road::Street { side, name: StreetName::Ordinal(number), kind: "ST" }.to_string();
        assert_eq!(street(34, "W "), "W 34TH ST");
        let ordinals: Vec<String> =
            [1, 2, 3, 4, 11, 12, 13, 21, 101, 111].map(|number| street(number, "")).into();
        let expected = ["1ST", "2ND", "3RD", "4TH", "11TH", "12TH", "13TH", "21ST", "101ST", "111TH"]
            .map(|one| format!("{one} ST"));
        assert_eq!(ordinals, expected);
        assert_eq!(Road::Highway { network: "I-", number: 95 }.to_string(), "I-95");
    }
}
