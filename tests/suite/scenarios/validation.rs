//! What a body must be: the same rules for POST and for the members of a PATCH.

use harness::{Answer, TestOrg, World, samples};
use serde_json::{Value, json};
use shared::types::Family;

use super::{FAMILIES, changed, create};

/// A value at a place of an otherwise valid body, the place that the violation names, and words of its detail.
type Rule = (&'static str, Value, &'static str, &'static str);

fn campaign_rules() -> Vec<Rule> {
    let many = |count: usize| json!(vec![json!({ "display_id": "1", "spot_id": 1 }); count]);
    let mut rules = vec![
        ("/campaign", json!("x"), "/campaign", "must be an object, is a string"),
        ("/campaign/name", json!(5), "/campaign/name", "must be a string, is an integer"),
        ("/campaign/reference", json!({}), "/campaign/reference", "must be a string, is an object"),
        ("/campaign/extra", json!(1), "/campaign/extra", "is not a member here; allowed are name, reference"),
        ("/flight", json!(null), "/flight", "is required"),
        ("/flight", json!([]), "/flight", "must be an object, is an array"),
        ("/flight/start_date", json!(null), "/flight/start_date", "is required and must not be null"),
        ("/flight/start_date", json!(20260406), "/flight/start_date", "must be a string, is an integer"),
        ("/flight/end_date", json!("2026-04-05"), "/flight", "must not end before it starts"),
        ("/flight/zone", json!("UTC"), "/flight/zone", "is not a member here"),
        ("/spots", json!(null), "/spots", "is required"),
        ("/spots", json!({}), "/spots", "must be an array, is an object"),
        ("/spots", json!([]), "/spots", "must have 1 to 2000 items, has 0"),
        ("/spots", many(2_001), "/spots", "must have 1 to 2000 items, has 2001"),
        ("/spots/1", json!(7), "/spots/1", "must be an object, is an integer"),
        ("/spots/1", json!(null), "/spots/1", "must be an object, is null"),
        ("/spots/1/display_id", json!(""), "/spots/1/display_id", "must not be empty"),
        ("/spots/1/display_id", json!(30412901), "/spots/1/display_id", "must be a string, is an integer"),
        ("/spots/1/display_id", json!(null), "/spots/1/display_id", "is required"),
        ("/spots/0/customer_spot_id", json!(7), "/spots/0/customer_spot_id", "must be a string"),
        ("/spots/0/customer_operator_name", json!(true), "/spots/0/customer_operator_name", "is a boolean"),
        ("/spots/0/price", json!(1.5), "/spots/0/price", "is not a member here; allowed are display_id"),
        ("/spots/0/windows", json!([]), "/spots/0/windows", "must have at least 1 item"),
        ("/spots/0/windows", json!("all"), "/spots/0/windows", "must be an array, is a string"),
        ("/spots/0/windows/0", json!(null), "/spots/0/windows/0", "must be an object, is null"),
        ("/spots/0/windows/0/end_date", json!("2026-04-05"), "/spots/0/windows/0", "must not end before it starts"),
        ("/spots/0/windows/0/end_date", json!("soon"), "/spots/0/windows/0/end_date", "YYYY-MM-DD, is soon"),
        ("/spots/0/windows/0/hours", json!([]), "/spots/0/windows/0/hours", "is not a member here"),
        ("/cohort", json!("x"), "/cohort", "must be an object"),
        ("/cohort/service_segment_ids", json!([]), "/cohort/service_segment_ids", "must have at least 1 item"),
        ("/cohort/service_segment_ids", json!([""]), "/cohort/service_segment_ids/0", "must not be empty"),
        ("/cohort/service_segment_ids", json!(["a", null]), "/cohort/service_segment_ids/1", "is null"),
        ("/cohort/service_base_segment_id", json!(""), "/cohort/service_base_segment_id", "must not be empty"),
        ("/cohort/service_base_segment_id", json!(null), "/cohort/service_base_segment_id", "is required"),
        ("/cohort/service_segment_id", json!("a"), "/cohort/service_segment_id", "is not a member here"),
        ("/customer/customer_name", json!(null), "/customer/customer_name", "is required"),
        ("/customer/customer_name", json!(7), "/customer/customer_name", "must be a string"),
        ("/customer/customer_scenario_id", json!(""), "/customer/customer_scenario_id", "must not be empty"),
        ("/customer/customer_scenario_name", json!([]), "/customer/customer_scenario_name", "is an array"),
        ("/customer/customer_scenario_info", json!(7), "/customer/customer_scenario_info", "must be a string"),
        ("/customer/a~b~1c", json!(7), "/customer/a~0b~01c", "is not a member here"),
    ];
    let integers = ["/spots/1/spot_id", "/cohort/measures_release", "/customer/customer_id"];
    for place in integers {
        let (big, small) = (json!(9_223_372_036_854_775_808_u64), json!(-9_223_372_036_854_775_809.0));
        for value in [json!(1.5), json!(1e3), json!(1e300), big, small] {
            rules.push((place, value, place, "must be a 64-bit integer, is a number that is not a 64-bit integer"));
        }
        rules.push((place, json!("1204332"), place, "must be a 64-bit integer, is a string"));
        rules.push((place, json!(true), place, "must be a 64-bit integer, is a boolean"));
    }
    let no_dates = [
        "2026-02-29",
        "2026-04-31",
        "2026-13-01",
        "2026-00-10",
        "2026-4-06",
        "20260406",
        "2026-04-06T00:00:00Z",
        " 2026-04-06",
        "+2026-04-6",
        "2026/04/06",
        "06-04-2026",
        "today",
        "",
        "2026-W15-1",
        "2026-04-0\u{661}",
    ];
    for date in no_dates {
        rules.push((
            "/flight/start_date",
            json!(date),
            "/flight/start_date",
            "must be a calendar date YYYY-MM-DD, is ",
        ));
    }
    rules
}

fn event_rules() -> Vec<Rule> {
    let mut rules = vec![
        ("/name", json!(5), "/name", "must be a string, is an integer"),
        ("/description", json!(["x"]), "/description", "must be a string, is an array"),
        ("/periods", json!(null), "/periods", "is required"),
        ("/periods", json!([]), "/periods", "must have at least 1 item"),
        ("/periods", json!({}), "/periods", "must be an array, is an object"),
        ("/periods/0", json!("evening"), "/periods/0", "must be an object, is a string"),
        ("/periods/0/period_name", json!(null), "/periods/0/period_name", "is required"),
        ("/periods/0/period_name", json!(1), "/periods/0/period_name", "must be a string"),
        ("/periods/0/start_time", json!(1783116000), "/periods/0/start_time", "must be a string, is an integer"),
        ("/periods/0/end_time", json!("2026-07-03T17:59:59-04:00"), "/periods/0", "must end after it starts"),
        // The same moment, written in another zone.
        ("/periods/0/end_time", json!("2026-07-03T22:00:00Z"), "/periods/0", "must end after it starts"),
        ("/periods/0/place_ids", json!([]), "/periods/0/place_ids", "is not a member here; allowed are period_name"),
        ("/place_ids", json!(null), "/place_ids", "is required"),
        ("/place_ids", json!([]), "/place_ids", "must have 1 to 2000 items, has 0"),
        ("/place_ids", json!(vec!["1"; 2_001]), "/place_ids", "must have 1 to 2000 items, has 2001"),
        ("/place_ids", json!("1001"), "/place_ids", "must be an array, is a string"),
        ("/place_ids/1", json!(""), "/place_ids/1", "must not be empty"),
        ("/place_ids/1", json!(1002), "/place_ids/1", "must be a string, is an integer"),
        ("/cohort/service_segment_id", json!(""), "/cohort/service_segment_id", "must not be empty"),
        ("/cohort/service_segment_id", json!(null), "/cohort/service_segment_id", "is required"),
        ("/cohort/service_segment_ids", json!([]), "/cohort/service_segment_ids", "is not a member here"),
        ("/customer", json!(null), "/customer", "is required"),
        ("/customer/customer_id", json!(48213), "/customer/customer_id", "must be a string, is an integer"),
        ("/customer/customer_id", json!(""), "/customer/customer_id", "must not be empty"),
        ("/customer/customer_name", json!(7), "/customer/customer_name", "must be a string"),
        ("/customer/customer_scenario_id", json!(null), "/customer/customer_scenario_id", "is required"),
        ("/customer/customer_scenario_name", json!({}), "/customer/customer_scenario_name", "is an object"),
        ("/customer/customer_scenario_info", json!(false), "/customer/customer_scenario_info", "is a boolean"),
        ("/timezone", json!(null), "/timezone", "is required"),
        ("/timezone", json!(-5), "/timezone", "must be a string, is an integer"),
    ];
    let no_moments = [
        "2026-07-03",
        "2026-07-03T18:00:00",
        "2026-07-03 18:00:00-04:00",
        "2026-07-03T18:00-04:00",
        "2026-07-03T24:00:00Z",
        "2026-07-03T18:60:00Z",
        "2026-02-30T18:00:00Z",
        "2026-07-03T18:00:00-0400",
        "2026-07-03T18:00:00 America/New_York",
        "1783116000",
        "",
        "20260703T180000Z",
        "2026-07-03T18:00:00.Z",
    ];
    for moment in no_moments {
        rules.push((
            "/periods/0/start_time",
            json!(moment),
            "/periods/0/start_time",
            "RFC 3339 date-time with its offset",
        ));
    }
    let no_zones = ["", "EST5EDT4", "America/New York", "america/new_york", "-05:00", "Mars/Olympus", "America/"];
    for zone in no_zones {
        rules.push(("/timezone", json!(zone), "/timezone", "must be an IANA time zone such as America/New_York, is "));
    }
    rules
}

fn shared_rules() -> Vec<Rule> {
    let mut rules = vec![
        ("/state", json!("queued"), "/state", "is not a member here"),
        ("/asset_id", json!(null), "/asset_id", "is not a member here"),
        ("/cohort", json!(null), "/cohort", "is required"),
        ("/cohort/geography_ids", json!(null), "/cohort/geography_ids", "is required"),
        ("/cohort/geography_ids", json!([]), "/cohort/geography_ids", "must have at least 1 item"),
        ("/cohort/geography_ids", json!("US2020XDMA501"), "/cohort/geography_ids", "must be an array"),
        ("/cohort/geography_ids", json!(["US2020XDMA501", 501]), "/cohort/geography_ids/1", "must be a string"),
        ("/cohort/geography_ids", json!(["US2020XDMA999"]), "/cohort/geography_ids/0", "US2020XDMA999"),
        ("/cohort/geography_ids", json!(["US2020STCO36000"]), "/cohort/geography_ids/0", "US2020STCO36000"),
        ("/customer", json!(48213), "/customer", "must be an object, is an integer"),
        ("/customer/tier", json!("gold"), "/customer/tier", "is not a member here; allowed are customer_id"),
    ];
    for id in ["us2020xdma501", "US2020XDMA50", "New York", "", "US2010XDMA501", "US2020XDMA501 "] {
        rules.push(("/cohort/geography_ids", json!([id]), "/cohort/geography_ids/0", "not a geography id: expected "));
    }
    rules
}

fn rules(family: Family) -> Vec<Rule> {
    let mut rules = match family {
        Family::Campaign => campaign_rules(),
        Family::Event => event_rules(),
    };
    rules.extend(shared_rules());
    rules
}

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
        ("/cohort/geography_ids", json!(["XX2020NATNUS", "US2020ZCTA10027", "US2020XMSA35620", "US2020MCRO10100"])),
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
        let body = changed(&samples::body(family), &format!("/{member}"), Some(json!(vec![json!({}); 2_000])));
        let answer = create(&world, &org, family, &body).await;
        assert_eq!(answer.error().0, 400);
        assert_eq!(answer.violations().len(), 1_000, "{family}");
        let message = answer.json()["error"]["message"].to_string();
        assert!(message.contains(&format!("and {} more", count - 20)), "{message}");
    }
}

#[tokio::test]
async fn points_at_an_unknown_member_however_it_is_named() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let long = format!("{}~/{}", "x".repeat(98), "y".repeat(5_000));
    for name in ["~", "/", "~1", "", "\u{0}", "\"\\", "é\u{301}", "0", &long, &"~".repeat(300), &"/".repeat(99)] {
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
        (deep.as_bytes(), "is not JSON"),
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
