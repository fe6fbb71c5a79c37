//! The names and abbreviations of the states.

/// The normalized names and abbreviations of the states, the District of Columbia, and Puerto Rico, as listed
/// by the US Postal Service (https://pe.usps.com/text/pub28/28apb.htm).
const STATES: [(&str, &str); 52] = [
    ("alabama", "al"),
    ("alaska", "ak"),
    ("arizona", "az"),
    ("arkansas", "ar"),
    ("california", "ca"),
    ("colorado", "co"),
    ("connecticut", "ct"),
    ("delaware", "de"),
    ("district of columbia", "dc"),
    ("florida", "fl"),
    ("georgia", "ga"),
    ("hawaii", "hi"),
    ("idaho", "id"),
    ("illinois", "il"),
    ("indiana", "in"),
    ("iowa", "ia"),
    ("kansas", "ks"),
    ("kentucky", "ky"),
    ("louisiana", "la"),
    ("maine", "me"),
    ("maryland", "md"),
    ("massachusetts", "ma"),
    ("michigan", "mi"),
    ("minnesota", "mn"),
    ("mississippi", "ms"),
    ("missouri", "mo"),
    ("montana", "mt"),
    ("nebraska", "ne"),
    ("nevada", "nv"),
    ("new hampshire", "nh"),
    ("new jersey", "nj"),
    ("new mexico", "nm"),
    ("new york", "ny"),
    ("north carolina", "nc"),
    ("north dakota", "nd"),
    ("ohio", "oh"),
    ("oklahoma", "ok"),
    ("oregon", "or"),
    ("pennsylvania", "pa"),
    ("puerto rico", "pr"),
    ("rhode island", "ri"),
    ("south carolina", "sc"),
    ("south dakota", "sd"),
    ("tennessee", "tn"),
    ("texas", "tx"),
    ("utah", "ut"),
    ("vermont", "vt"),
    ("virginia", "va"),
    ("washington", "wa"),
    ("west virginia", "wv"),
    ("wisconsin", "wi"),
    ("wyoming", "wy"),
];

/// Returns the abbreviation and the name of a state, given either one in normalized form. Any other string is
/// returned unchanged.
pub fn state_forms(normalized: &str) -> Vec<&str> {
    let is_meant = |(name, letters): &&(&str, &str)| *letters == normalized || *name == normalized;
    STATES.iter().find(is_meant).map_or_else(|| vec![normalized], |(name, letters)| vec![*letters, *name])
}
