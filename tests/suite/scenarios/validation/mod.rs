//! What a body must be: the same rules for POST and for the members of a PATCH.

mod rules;

use harness::{Answer, TestOrg, World, samples};
use serde_json::{Value, json};
use shared::types::Family;

use super::{FAMILIES, changed, create};
use rules::rules;

fn assert_refused(answer: &Answer, pointer: &str, words: &str, context: &str) {
    assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()), "{context}: {}", answer.text());
    let violations = answer.violations();
    let [(place, detail)] = violations.as_slice() else {
        panic!("{context}: {violations:?}");
    };
    assert_eq!(place, pointer, "{context}: {detail}");
    assert!(detail.contains(words), "{context}: {detail:?} has no {words:?}");
    let message = answer.json()["error"]["message"].take();
    let message = message.as_str().expect("a message");
    assert!(message.contains(pointer) && message.contains(detail), "{context}: {message}");
}

#[tokio::test]
async fn refuses_each_broken_rule_at_its_place_on_create_and_on_edit() {
    let world = World::new().await;
    for family in FAMILIES {
        let org = world.org(&format!("org_{family}")).await;
        let path = world.draft(&org, family).await;
        let before = super::read(&world, &org, &path).await.data();
        for (place, value, pointer, words) in rules(family) {
            world.clock.advance(100);
            let context = format!("{family} {place} = {}", shortened(&value));
            let body = changed(&samples::body(family), place, Some(value));
            assert_refused(&create(&world, &org, family, &body).await, pointer, words, &context);
            let member = place.split('/').nth(1).expect("a member");
            let patch = json!({ member: body[member] });
            let edited = world.patch(&path).key(&org.key).json(&patch).send().await;
            assert_refused(&edited, pointer, words, &format!("PATCH {context}"));
        }
        assert_eq!(super::read(&world, &org, &path).await.data(), before, "{family}");
        assert_eq!(super::summary(&world, &org, family).await["total"], 1, "{family}");
    }
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

#[tokio::test]
async fn takes_what_no_rule_forbids() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let spot = json!({ "display_id": "1", "spot_id": 1 });
    let far_away = json!([{ "start_date": "1999-01-01", "end_date": "1999-01-01" }]);
    let campaigns = [
        ("/flight", json!({ "start_date": "2024-02-29", "end_date": "2024-02-29" })),
        ("/flight", json!({ "start_date": "0001-01-01", "end_date": "9999-12-31" })),
        ("/spots", json!(vec![spot; 2_000])),
        ("/spots/0/windows", far_away),
        ("/spots/1/spot_id", json!(i64::MAX)),
        ("/spots/1/spot_id", json!(i64::MIN)),
        ("/spots/1/display_id", json!("30412887")),
        ("/campaign", json!({})),
        ("/campaign/name", json!("")),
        ("/customer/customer_id", json!(0)),
        ("/customer/customer_name", json!("")),
        ("/cohort/service_segment_ids", json!(["a", "a", "b"])),
        (
            "/cohort/geography_ids",
            json!(["XX2020NATNUS", "US2020ZCTA10027", "US2020XMSA35620", "US2020MCRO10100"]),
        ),
    ];
    let events = [
        ("/place_ids", json!(vec!["1"; 2_000])),
        ("/name", json!("")),
        ("/periods/0/period_name", json!("")),
        ("/periods/0/start_time", json!("2026-07-03t18:00:00.123456789z")),
        ("/periods/0/end_time", json!("9999-12-31T23:59:59Z")),
        ("/timezone", json!("UTC")),
        ("/timezone", json!("Asia/Kolkata")),
        ("/timezone", json!("Etc/GMT+5")),
        ("/timezone", json!("America/Argentina/Buenos_Aires")),
        ("/customer/customer_id", json!("0")),
    ];
    for (family, changes) in [(Family::Campaign, &campaigns[..]), (Family::Event, &events[..])] {
        for (place, value) in changes {
            let body = changed(&samples::body(family), place, Some(value.clone()));
            let created = create(&world, &org, family, &body).await;
            assert_eq!(super::split(&created.data()).1, body, "{family} {place} = {}", shortened(value));
        }
    }
}

#[tokio::test]
async fn requires_each_required_member() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let campaign = [
        "/flight",
        "/flight/start_date",
        "/flight/end_date",
        "/spots",
        "/spots/0/display_id",
        "/spots/1/spot_id",
        "/spots/0/windows/0/start_date",
        "/spots/0/windows/0/end_date",
        "/cohort",
        "/cohort/geography_ids",
        "/cohort/service_segment_ids",
        "/cohort/service_base_segment_id",
        "/customer",
        "/customer/customer_id",
        "/customer/customer_name",
        "/customer/customer_scenario_id",
        "/customer/customer_scenario_name",
    ];
    let event = [
        "/periods",
        "/periods/0/period_name",
        "/periods/0/start_time",
        "/periods/0/end_time",
        "/place_ids",
        "/cohort",
        "/cohort/geography_ids",
        "/cohort/service_segment_id",
        "/customer",
        "/customer/customer_id",
        "/customer/customer_scenario_id",
        "/timezone",
    ];
    for (family, places) in [(Family::Campaign, &campaign[..]), (Family::Event, &event[..])] {
        for place in places {
            let body = changed(&samples::body(family), place, None);
            assert_refused(&create(&world, &org, family, &body).await, place, "is required", place);
        }
        let nothing = create(&world, &org, family, &json!({})).await;
        let missing: Vec<_> = nothing.violations().into_iter().map(|(place, _)| place).collect();
        let members: Vec<_> = places.iter().filter(|place| place.matches('/').count() == 1).collect();
        assert_eq!(missing.iter().collect::<Vec<_>>(), members, "{family}");
    }
}

#[tokio::test]
async fn leaves_out_each_optional_member_that_is_null_or_absent() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let campaign = [
        "/campaign",
        "/campaign/name",
        "/campaign/reference",
        "/spots/0/customer_spot_id",
        "/spots/0/customer_operator_name",
        "/spots/0/windows",
        "/cohort/measures_release",
        "/customer/customer_scenario_info",
    ];
    let event = [
        "/name",
        "/description",
        "/customer/customer_name",
        "/customer/customer_scenario_name",
        "/customer/customer_scenario_info",
    ];
    for (family, places) in [(Family::Campaign, &campaign[..]), (Family::Event, &event[..])] {
        for place in places {
            let without = changed(&samples::body(family), place, None);
            for value in [None, Some(Value::Null)] {
                let body = changed(&samples::body(family), place, value);
                let created = create(&world, &org, family, &body).await;
                assert_eq!(super::split(&created.data()).1, without, "{family} {place}");
            }
        }
    }
}

#[tokio::test]
async fn lists_every_violation_at_once() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut body = samples::campaign();
    for (place, value) in [
        ("/campaign/name", json!(1)),
        ("/flight/end_date", json!("2026-02-30")),
        ("/spots/0/display_id", json!("")),
        ("/spots/0/windows/0/end_date", json!("2026-04-01")),
        ("/spots/1/spot_id", json!("2")),
        ("/spots/1/x", json!(0)),
        ("/cohort/geography_ids", json!(["US2020XDMA999", "US2020XDMA501", "nowhere"])),
        ("/y", json!(0)),
    ] {
        body = changed(&body, place, Some(value));
    }
    body = changed(&body, "/customer/customer_id", None);
    let answer = create(&world, &org, Family::Campaign, &body).await;
    let mut places: Vec<_> = answer.violations().into_iter().map(|(place, _)| place).collect();
    places.sort();
    let expected = [
        "/campaign/name",
        "/cohort/geography_ids/0",
        "/cohort/geography_ids/2",
        "/customer/customer_id",
        "/flight/end_date",
        "/spots/0/display_id",
        "/spots/0/windows/0",
        "/spots/1/spot_id",
        "/spots/1/x",
        "/y",
    ];
    assert_eq!(places, expected);
    let message = answer.json()["error"]["message"].to_string();
    assert!(expected.iter().all(|place| message.contains(place)), "{message}");
}

#[tokio::test]
async fn lists_so_many_violations_and_says_how_many_more_there_are() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (family, member, count) in [(Family::Campaign, "spots", 4_000), (Family::Event, "place_ids", 2_000)] {
        let body =
            changed(&samples::body(family), &format!("/{member}"), Some(json!(vec![json!({}); 2_000])));
        let answer = create(&world, &org, family, &body).await;
        assert_eq!(answer.error().0, 400);
        assert_eq!(answer.violations().len(), 1_000, "{family}");
        let message = answer.json()["error"]["message"].to_string();
        assert!(message.contains(&format!("and {} more", count - 20)), "{message}");
    }
}

#[tokio::test]
async fn refuses_a_body_of_many_empty_objects_with_a_small_answer() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (count, words) in [(249_000, "and 746980 more"), (1_000_000, "there are more than 250000 values")] {
        let periods = format!("[{}{{}}]", "{},".repeat(count - 1));
        let body = changed(&samples::event(), "/periods", Some(json!(0))).to_string();
        let body = body.replace("\"periods\":0", &format!("\"periods\":{periods}"));
        let call = world.post("/v2/scenarios/events").key(&org.key);
        let answer = call.bytes("application/json", body).send().await;
        assert_eq!(answer.error(), (400, "VALIDATION_ERROR".to_owned()));
        assert!(answer.text().contains(words), "{words}");
        assert!(answer.body.len() < 200_000, "{} bytes", answer.body.len());
    }
}

#[tokio::test]
async fn points_at_an_unknown_member_however_it_is_named() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let long = format!("{}~/{}", "x".repeat(98), "y".repeat(5_000));
    for name in [
        "~",
        "/",
        "~1",
        "",
        "\u{0}",
        "\"\\",
        "é\u{301}",
        "0",
        &long,
        &format!("x{}", "~".repeat(300)),
        &"~".repeat(300),
        &"/".repeat(99),
    ] {
        for family in FAMILIES {
            let mut body = samples::body(family);
            body["cohort"][name] = json!(1);
            let answer = create(&world, &org, family, &body).await;
            let violations = answer.violations();
            assert_eq!(violations.len(), 1, "{name}: {violations:?}");
            if name.len() < 99 {
                let escaped = name.replace('~', "~0").replace('/', "~1");
                assert_eq!(violations[0].0, format!("/cohort/{escaped}"));
            }
            assert!(answer.body.len() < 3_000, "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn refuses_a_body_that_is_no_json_object() {
    let world = World::new().await;
    let org: TestOrg = world.org("org_a").await;
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let wide = format!("{{{}}}", (0..300).map(|name| format!("\"{name}\":0")).collect::<Vec<_>>().join(","));
    let bodies: [(&[u8], &str); 19] = [
        (b"", "is not JSON"),
        (b"{", "is not JSON"),
        (b"{}{}", "is not JSON"),
        (b"{'flight':1}", "is not JSON"),
        (b"{\"flight\":1,}", "is not JSON"),
        (b"NaN", "is not JSON"),
        (b"\xef\xbb\xbf{}", "is not JSON"),
        (b"\"\xff\"", "is not JSON"),
        (b"\"\\ud800\"", "is not JSON"),
        (b"{\"customer\":{\"customer_id\":1e999}}", "is not JSON"),
        (deep.as_bytes(), "more than 16 arrays and objects lie in one another"),
        (wide.as_bytes(), "an object has more than 256 members"),
        (b"{\"flight\":1,\"flight\":1}", "the member flight occurs twice"),
        (b"{\"a\":[{\"\\u0062\":1,\"b\":2}]}", "the member b occurs twice"),
        (b"null", "must be an object, is null"),
        (b"[]", "must be an object, is an array"),
        (b"\"{}\"", "must be an object, is a string"),
        (b"true", "must be an object, is a boolean"),
        (b"1", "must be an object, is an integer"),
    ];
    for family in FAMILIES {
        let path = world.draft(&org, family).await;
        for (body, words) in bodies {
            let context = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
            for call in [world.post(samples::library(family)), world.patch(&path)] {
                let answer = call.key(&org.key).bytes("application/json", body.to_vec()).send().await;
                assert_refused(&answer, "", words, &context);
            }
        }
        assert_eq!(super::summary(&world, &org, family).await["total"], 1);
    }
}
