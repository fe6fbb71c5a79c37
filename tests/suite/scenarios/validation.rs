//! Validation rules beyond the schema, which `contract/malformed.rs` tests.

use harness::{World, samples};
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, changed, create};

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

#[tokio::test]
async fn accepts_unusual_but_valid_values() {
    let (world, org) = World::with_org().await;
    let campaigns = [
        ("/flight", json!({ "start_date": "2024-02-29", "end_date": "2024-02-29" })),
        ("/flight", json!({ "start_date": "0001-01-01", "end_date": "9999-12-31" })),
        ("/spots/0/windows", json!([{ "start_date": "1999-01-01", "end_date": "1999-01-01" }])),
        ("/spots/1/spot_id", json!(i64::MIN)),
        ("/cohort/service_segment_ids", json!(["a", "a", "b"])),
        (
            "/cohort/geography_ids",
            json!(["XX2020NATNUS", "US2020ZCTA10027", "US2020XMSA35620", "US2020MCRO10100"]),
        ),
    ];
    let events = [
        ("/periods/0/start_time", json!("2026-07-03t18:00:00.123456789z")),
        ("/periods/0/end_time", json!("9999-12-31T23:59:59Z")),
        ("/timezone", json!("UTC")),
        ("/timezone", json!("Asia/Kolkata")),
        ("/timezone", json!("Etc/GMT+5")),
        ("/timezone", json!("America/Argentina/Buenos_Aires")),
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
async fn long_violation_lists_are_truncated_and_counted() {
    let (world, org) = World::with_org().await;
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
async fn many_empty_objects_return_400_with_a_short_message() {
    let (world, org) = World::with_org().await;
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
async fn long_names_of_unknown_members_are_shortened() {
    let (world, org) = World::with_org().await;
    let long = format!("{}~/{}", "x".repeat(98), "y".repeat(5_000));
    for name in [&long, &format!("x{}", "~".repeat(300)), &"~".repeat(300), &"/".repeat(99)] {
        for family in FAMILIES {
            let mut body = samples::body(family);
            body["cohort"][name] = json!(1);
            let answer = create(&world, &org, family, &body).await;
            assert_eq!(answer.violations().len(), 1, "{name}");
            assert!(answer.body.len() < 3_000, "{}", answer.text());
        }
    }
}
