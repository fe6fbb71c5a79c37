//! Tests of parsing and displaying geography IDs.

use dataset::{GeographyId, GeographyType, ParseGeographyIdError};
use proptest::prelude::*;

fn parse(text: &str) -> GeographyId {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn ids_of_each_type_consist_of_prefix_type_and_national_id() {
    let cases = [
        ("XX2020NATNUS", GeographyType::Nation, "XX2020", "NATN", "US"),
        ("US2020XXST06", GeographyType::State, "US2020", "XXST", "06"),
        ("US2020STCO36061", GeographyType::County, "US2020", "STCO", "36061"),
        ("US2020XDMA501", GeographyType::Dma, "US2020", "XDMA", "501"),
        ("US2020XMSA35620", GeographyType::Msa, "US2020", "XMSA", "35620"),
        ("US2020MCRO10100", GeographyType::Micropolitan, "US2020", "MCRO", "10100"),
        ("US2020ZCTA10027", GeographyType::Zip, "US2020", "ZCTA", "10027"),
    ];
    for (text, geography_type, prefix, type_text, national_id) in cases {
        let id = parse(text);
        assert_eq!(id.geography_type(), geography_type, "{text}");
        assert_eq!(id.geography_type().prefix(), prefix, "{text}");
        assert_eq!(id.geography_type().as_str(), type_text, "{text}");
        assert_eq!(id.national_id().to_string(), national_id, "{text}");
    }
}

#[test]
fn rejects_malformed_ids() {
    let cases = [
        ("an empty text", ""),
        ("only a prefix", "US2020"),
        ("only a prefix and a type", "US2020XDMA"),
        ("lower case", "us2020xdma501"),
        ("a lower-case country", "us2020XDMA501"),
        ("a lower-case type", "US2020xdma501"),
        ("a lower-case nation", "XX2020NATNus"),
        ("another year", "US2010XDMA501"),
        ("another country", "CA2020XXST06"),
        ("an unknown type", "US2020CBSA35620"),
        ("the nation under the country's prefix", "US2020NATNUS"),
        ("a state under the nation's prefix", "XX2020XXST06"),
        ("another nation", "XX2020NATNCA"),
        ("a nation with a number", "XX2020NATN00"),
        ("one digit too few", "US2020XDMA50"),
        ("one digit too many", "US2020XDMA5010"),
        ("a state with the digits of a county", "US2020XXST06001"),
        ("a county with the digits of a state", "US2020STCO06"),
        ("a ZIP+4", "US2020ZCTA10027-1234"),
        ("letters among the digits", "US2020XDMA5O1"),
        ("a plus sign", "US2020XDMA+01"),
        ("a minus sign", "US2020XDMA-01"),
        ("a space among the digits", "US2020XDMA 01"),
        ("a leading space", " US2020XDMA501"),
        ("a trailing space", "US2020XDMA501 "),
        ("a trailing line feed", "US2020XDMA501\n"),
        ("a trailing zero byte", "US2020XDMA501\0"),
        ("a bare code", "501"),
        ("full-width digits", "US2020XDMA\u{ff15}\u{ff10}\u{ff11}"),
        ("Arabic digits", "US2020XDMA\u{665}\u{660}\u{661}"),
        ("one character of three bytes for the code", "US2020XDMA€"),
        ("a character across the end of the prefix", "US202éXDMA501"),
        ("a character across the end of the type", "US2020XDMé501"),
        ("a Cyrillic look-alike of X", "US2020\u{425}DMA501"),
    ];
    for (what, text) in cases {
        assert_eq!(text.parse::<GeographyId>(), Err(ParseGeographyIdError), "{what}: {text:?}");
    }
}

#[test]
fn error_lists_every_valid_form() {
    let message = ParseGeographyIdError.to_string();
    let expected = GeographyType::ALL.map(GeographyType::as_str);
    for part in expected.iter().chain(&["XX2020NATNUS", "US2020", "2 digits", "3 digits", "5 digits"]) {
        assert!(message.contains(part), "{part} is missing from {message:?}");
    }
}

proptest! {
    #[test]
    fn accepted_text_displays_unchanged(
        text in prop_oneof![
            ".*",
            "(US|XX)2020[A-Z]{4}.{0,6}",
            "(US|XX)2020(NATN|XXST|STCO|XDMA|XMSA|MCRO|ZCTA).{0,6}",
        ],
    ) {
        if let Ok(id) = text.parse::<GeographyId>() {
            prop_assert_eq!(id.to_string(), text);
        }
    }

    #[test]
    fn every_valid_id_parses_and_displays_unchanged(
        text in "US2020(XXST[0-9]{2}|XDMA[0-9]{3}|(STCO|XMSA|MCRO|ZCTA)[0-9]{5})",
    ) {
        prop_assert_eq!(parse(&text).to_string(), text);
    }
}
