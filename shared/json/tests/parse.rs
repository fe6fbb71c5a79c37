//! Tests which JSON documents are accepted and rejected.

use deserr::{IntoValue, ValueKind};
use serde_json::json;
use strict_json::{ExceededLimit, Limits, ParseError, Value, parse};

const ANY: Limits = Limits::NONE;

fn refusal(text: &str, limits: Limits) -> String {
    parse(text.as_bytes(), limits).expect_err(text).to_string()
}

fn object(members: usize) -> String {
    let members: Vec<String> = (0..members).map(|number| format!("\"m{number}\":{number}")).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn parses_the_same_values_as_serde_json() {
    let large = object(3_000);
    for text in [
        "null",
        "[true,false]",
        "-0",
        "1e3",
        "18446744073709551615",
        "-9223372036854775808",
        "\"\\u00e9\"",
        &large,
    ] {
        let value = parse(text.as_bytes(), ANY).expect(text);
        assert_eq!(
            serde_json::Value::from(value),
            serde_json::from_str::<serde_json::Value>(text).expect(text),
            "{text}"
        );
    }
}

#[test]
fn member_is_found_by_name() {
    let value = parse(br#"{"b":{"c":1},"a":[]}"#, ANY).expect("valid JSON");
    assert_eq!(value.get("b").and_then(|b| b.get("c")), Some(&Value::Number(1.into())));
    assert_eq!((value.get("c"), value.get("a").and_then(|a| a.get("0"))), (None, None));
}

#[test]
fn repeated_members_are_rejected_in_small_and_large_objects() {
    assert_eq!(refusal(r#"{"a":1,"a":2}"#, ANY), "member \"a\" occurs twice at line 1 column 13");
    assert_eq!(
        refusal(r#"[{"b":{"a":1,"\u0061":2}}]"#, ANY),
        "member \"a\" occurs twice at line 1 column 24"
    );
    for repeated in [0, 31, 32, 33, 1_999] {
        let text = object(2_000).replace('}', &format!(",\"m{repeated}\":null}}"));
        assert!(
            refusal(&text, ANY).starts_with(&format!("member \"m{repeated}\" occurs twice")),
            "{repeated}"
        );
    }
    let long = "x".repeat(101);
    let shown = format!("member \"{}…\" occurs twice", "x".repeat(100));
    assert!(
        refusal(&json!({ "a": 1, &long: 1 }).to_string().replace("\"a\"", &format!("\"{long}\"")), ANY)
            .starts_with(&shown)
    );
}

#[test]
fn number_of_members_is_limited() {
    let limits = Limits { members: 256, ..ANY };
    assert!(parse(object(256).as_bytes(), limits).is_ok());
    assert!(refusal(&object(257), limits).starts_with("an object has more than 256 members"));
}

#[test]
fn nesting_depth_is_limited() {
    let limits = Limits { depth: 3, ..ANY };
    for text in ["[[[1,2],[]]]", r#"{"a":[{"b":0}]}"#, "[[],[[]],{}]"] {
        assert!(parse(text.as_bytes(), limits).is_ok(), "{text}");
    }
    for text in ["[[[[]]]]", r#"{"a":[{"b":{}}]}"#, "[[],[[[", "[[[[[[[["] {
        let refusal = refusal(text, limits);
        assert!(
            refusal.starts_with("arrays and objects are nested deeper than 3 levels at line 1 column "),
            "{text}: {refusal}"
        );
    }
    assert!(parse(b"0", Limits { depth: 0, ..ANY }).is_ok());
    assert!(parse(b"[]", Limits { depth: 0, ..ANY }).is_err());
}

#[test]
fn number_of_values_is_limited() {
    let limits = Limits { values: 4, ..ANY };
    for text in ["[1,2,3]", r#"{"a":[{}],"b":0}"#, "[[],[],[]]"] {
        assert!(parse(text.as_bytes(), limits).is_ok(), "{text}");
    }
    for text in ["[1,2,3,4]", r#"{"a":[{}],"b":0,"c":0}"#, "[[],[],[[]]]", "[1,2,3,4,5,6,7"] {
        assert!(
            refusal(text, limits).starts_with("there are more than 4 values at line 1 column "),
            "{text}"
        );
    }
}

#[test]
fn error_names_the_exceeded_limit_and_its_line() {
    let limits = Limits { members: 1, depth: 1, values: 2 };
    for (text, expected) in [
        ("[\n[", ExceededLimit::Depth(1)),
        ("[0,\n0", ExceededLimit::Values(2)),
        ("{\"a\":0,\n\"b\":0", ExceededLimit::Values(2)),
    ] {
        match parse(text.as_bytes(), limits) {
            Err(error @ ParseError::Exceeded { limit, .. }) => {
                assert_eq!((limit, error.line()), (expected, 2), "{text}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(matches!(parse(b"[0", limits), Err(ParseError::Invalid(_))));
}

#[test]
fn integers_are_recognized_in_any_notation() {
    let kind = |text: &str| parse(text.as_bytes(), ANY).expect(text).into_value();
    for (text, integer) in [
        ("5", 5),
        ("5.0", 5),
        ("5.000", 5),
        ("5e0", 5),
        ("50e-1", 5),
        ("0.5e1", 5),
        ("0.0", 0),
        ("-0", 0),
        ("-0.0", 0),
        ("9007199254740992.0", 1 << 53),
        ("9007199254740993", (1 << 53) + 1),
        ("9.007199254740992e15", 1 << 53),
        ("9223372036854775807", i64::MAX.unsigned_abs()),
    ] {
        assert!(matches!(kind(text), deserr::Value::Integer(found) if found == integer), "{text}");
    }
    for (text, integer) in
        [("-5.0", -5), ("-9007199254740992.0", -(1 << 53)), ("-9223372036854775808", i64::MIN)]
    {
        assert!(matches!(kind(text), deserr::Value::NegativeInteger(found) if found == integer), "{text}");
    }
    for text in ["5.5", "-0.5", "5e-1", "9007199254740994.0", "1e16", "9223372036854775808", "1e300"] {
        assert_eq!(kind(text).kind(), ValueKind::Float, "{text}");
        assert_eq!(parse(text.as_bytes(), ANY).expect(text).kind(), ValueKind::Float, "{text}");
    }
}

#[test]
fn invalid_json_is_rejected_with_its_position() {
    for (text, reason) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("{} {}", "trailing characters at line 1 column 4"),
        ("[1,]", "trailing comma at line 1 column 4"),
        ("1e999", "number out of range at line 1 column 5"),
    ] {
        assert_eq!(refusal(text, ANY), reason);
    }
    assert!(refusal(&"[".repeat(128), ANY).starts_with("recursion limit exceeded"));
    assert!(parse(b"\"\xff\"", ANY).is_err());
}
