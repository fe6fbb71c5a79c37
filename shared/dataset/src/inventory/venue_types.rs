//! The venue types that a display can have.

/// The venue types of OpenOOH 1.1, one per line, after a comment with their license.
const TEXT: &str = include_str!("venue_types.txt");

/// Returns all venue types of OpenOOH 1.1 in alphabetical order. Dots separate a type from its parent, as in
/// `transit.airports.gates`.
pub fn venue_types() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#'))
}

/// Returns whether a string is a venue type of OpenOOH 1.1. The comparison is exact.
pub fn is_venue_type(text: &str) -> bool {
    venue_types().any(|venue_type| venue_type == text)
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
