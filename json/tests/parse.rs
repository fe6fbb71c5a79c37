//! What is read strictly, and what is not read at all.

use serde_json::json;
use strict_json::{Limits, Value, parse};

const ANY: Limits = Limits { members: usize::MAX };

fn refusal(text: &str, limits: Limits) -> String {
    parse(text.as_bytes(), limits).expect_err(text).to_string()
}

fn object(members: usize) -> String {
    let members: Vec<String> = (0..members).map(|number| format!("\"m{number}\":{number}")).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_value_is_what_serde_json_makes_of_its_text() {
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
fn a_member_is_found_by_its_name() {
    let value = parse(br#"{"b":{"c":1},"a":[]}"#, ANY).expect("JSON");
    assert_eq!(value.get("b").and_then(|b| b.get("c")), Some(&Value::Number(1.into())));
    assert_eq!((value.get("c"), value.get("a").and_then(|a| a.get("0"))), (None, None));
}

#[test]
fn a_repeated_member_is_refused_in_small_and_in_large_objects() {
    assert_eq!(refusal(r#"{"a":1,"a":2}"#, ANY), "the member a occurs twice at line 1 column 13");
    assert_eq!(
        refusal(r#"[{"b":{"a":1,"\u0061":2}}]"#, ANY),
        "the member a occurs twice at line 1 column 24"
    );
    for repeated in [0, 31, 32, 33, 1_999] {
        let text = object(2_000).replace('}', &format!(",\"m{repeated}\":null}}"));
        assert!(
            refusal(&text, ANY).starts_with(&format!("the member m{repeated} occurs twice")),
            "{repeated}"
        );
    }
    let long = "x".repeat(101);
    let shown = format!("the member {}… occurs twice", "x".repeat(100));
    assert!(
        refusal(&json!({ "a": 1, &long: 1 }).to_string().replace("\"a\"", &format!("\"{long}\"")), ANY)
            .starts_with(&shown)
    );
}

#[test]
fn an_object_has_no_more_members_than_it_may_have() {
    let limits = Limits { members: 256 };
    assert!(parse(object(256).as_bytes(), limits).is_ok());
    assert!(refusal(&object(257), limits).starts_with("an object has more than 256 members"));
}

#[test]
fn what_is_no_json_is_refused_with_its_place() {
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
