//! The venue types for displays.

/// The OpenOOH 1.1 venue types, one per line, after a comment with the license.
const TEXT: &str = include_str!("venue_types.txt");

/// A venue type's spelling is similar if it differs from the text by at most one character for every `FEW`
/// characters in the text.
const FEW: usize = 3;

/// The maximum number of suggestions for an unknown venue type.
const SUGGESTED: usize = 3;

/// Returns all OpenOOH 1.1 venue types in alphabetical order. Dots separate a type from its parent, as in
/// `transit.airports.gates`.
pub fn venue_types() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#'))
}

/// Returns whether a string is an OpenOOH 1.1 venue type. The comparison is case-sensitive.
pub fn is_venue_type(text: &str) -> bool {
    venue_types().any(|venue_type| venue_type == text)
}

/// Returns the venue type that equals `text` and all venue types below it. For example, `transit` matches
/// `transit.airports`. The comparison ignores case.
pub fn venue_types_under(text: &str) -> impl Iterator<Item = &'static str> {
    let wanted = text.to_ascii_lowercase();
    venue_types().filter(move |venue_type| {
        let rest = venue_type.strip_prefix(wanted.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// Returns up to three venue types to suggest for an unknown one. Types that contain the text come first,
/// followed by the types with the most similar spelling.
pub fn nearest_venue_types(text: &str) -> Vec<&'static str> {
    let wanted = text.to_ascii_lowercase().replace([' ', '-'], "_");
    let limit = wanted.len() / FEW;
    let rank = |venue_type: &'static str| {
        let (contains, distance) = (venue_type.contains(&wanted), strsim::osa_distance(venue_type, &wanted));
        (contains || distance <= limit).then_some((!contains, distance, venue_type))
    };
    let mut ranked: Vec<_> = venue_types().filter_map(rank).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(SUGGESTED).map(|(.., venue_type)| venue_type).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn venue_types_are_sorted_and_have_only_lowercase_letters_underscores_and_dots() {
        let all: Vec<&str> = venue_types().collect();
        assert_eq!(all.len(), 99);
        assert!(all.is_sorted_by(|one, other| one < other));
        let is_part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        };
        assert!(all.iter().all(|venue_type| venue_type.split('.').all(is_part)));
    }

    #[test]
    fn types_below_a_type_match_it() {
        let under = |text| venue_types_under(text).collect::<Vec<&str>>();
        assert_eq!(
            under("Retail.Malls"),
            ["retail.malls", "retail.malls.concourse", "retail.malls.food_court", "retail.malls.spectacular"]
        );
        assert_eq!(under("transit.ferry"), ["transit.ferry"]);
        assert_eq!(under("residential.apartment_buildings").len(), 2);
        for text in ["", "tran", "transit.", "airports", "transit.airports.gates.x"] {
            assert!(under(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn unknown_type_gets_similar_suggestions() {
        assert_eq!(
            nearest_venue_types("Gas Stations"),
            ["retail.gas_stations", "retail.gas_stations.pump", "retail.gas_stations.shop"]
        );
        let airports = ["transit.airports", "transit.airports.gates", "transit.airports.lounges"];
        assert_eq!(nearest_venue_types("transit.airport"), airports);
        assert_eq!(nearest_venue_types("retial"), ["retail"]);
        assert!(nearest_venue_types("xyzzy").is_empty());
    }

    #[test]
    fn only_listed_strings_are_venue_types() {
        for text in ["transit", "transit.airports.arrivals_hall", "health_beauty.gyms.lobby"] {
            assert!(is_venue_type(text), "{text}");
        }
        for text in [
            "",
            "Transit",
            "transit.",
            "transit.airport",
            "airports",
            "# ",
            "residential.apartment_buildings",
        ] {
            assert!(!is_venue_type(text), "{text}");
        }
    }
}
