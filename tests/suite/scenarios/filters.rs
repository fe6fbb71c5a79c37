//! List filters: pages contain exactly the assets that an in-memory filter selects, and few other assets are
//! read.

use aws_sdk_dynamodb::types::AttributeValue;
use harness::{TestOrg, World, paid, samples};
use serde_json::{Value, json};
use store::Family;

use super::list::pages_of;
use super::{FAMILIES, create, list};

const STATES: [&str; 5] = ["draft", "queued", "in_flight", "completed", "failed"];
const NAMES: [&str; 6] = ["Spring launch", "spring", "SPRUNG", "Straße", "STRASSENFEST", ""];
const SCENARIOS: [&str; 3] = ["s-1", "s-10", "s/2 é&"];
const CUSTOMERS: [&str; 3] = ["1", "10", "-9223372036854775808"];

/// A list request's filters. A filter that is `None` doesn't apply.
#[derive(Clone, Copy, Debug)]
struct Filter<'a> {
    /// One or more states, separated by commas.
    states: Option<&'a str>,
    scenario: Option<&'a str>,
    customer: Option<&'a str>,
    name: Option<&'a str>,
    since: Option<&'a str>,
}

impl Filter<'_> {
    fn query(self) -> String {
        let Self { states, scenario, customer, name, since } = self;
        let given = [
            ("state", states),
            ("customer_scenario_id", scenario),
            ("customer_id", customer),
            ("name", name),
            ("updated_since", since),
        ];
        let given = given.into_iter().filter_map(|(parameter, value)| Some((parameter, value?)));
        given.map(|(parameter, value)| format!("{parameter}={}&", encoded(value))).collect()
    }

    /// Returns whether an asset matches all filters.
    fn keeps(self, asset: &Value) -> bool {
        let Self { states, scenario, customer, name, since } = self;
        let id = &asset["customer"]["customer_id"];
        let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        let normalize = |text: &str| text.to_uppercase().to_lowercase();
        let names = ["/campaign/name", "/name", "/customer/customer_scenario_name"];
        let mut names = names.iter().filter_map(|pointer| asset.pointer(pointer)?.as_str());
        is_in(states, asset)
            && customer.is_none_or(|customer| id == customer)
            && scenario.is_none_or(|scenario| asset["customer"]["customer_scenario_id"] == scenario)
            && name
                .is_none_or(|beginning| names.any(|name| normalize(name).starts_with(&normalize(beginning))))
            && since.is_none_or(|since| asset["updated_at"].as_str() >= Some(since))
    }
}

/// Returns whether an asset is in one of the given states.
fn is_in(states: Option<&str>, asset: &Value) -> bool {
    states.is_none_or(|states| states.split(',').any(|state| asset["state"] == state))
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn named(family: Family, scenario: &str, name: &str, scenario_name: &str) -> Value {
    let mut body = samples::body(family);
    match family {
        Family::Campaign => body["campaign"]["name"] = json!(name),
        Family::Event => body["name"] = json!(name),
    }
    body["customer"]["customer_scenario_id"] = json!(scenario);
    body["customer"]["customer_scenario_name"] = json!(scenario_name);
    belong_to(&mut body, "1");
    body
}

/// Sets the `customer_id`, which is a number in campaigns and a string in events.
fn belong_to(body: &mut Value, customer: &str) {
    let id = &mut body["customer"]["customer_id"];
    *id = if id.is_number() { customer.parse().expect("a number") } else { json!(customer) };
}

/// Reads all pages of a list, checks that none exceeds the limit, and returns the assets.
async fn page_through(world: &World, org: &TestOrg, family: Family, query: &str, limit: usize) -> Vec<Value> {
    let pages = pages_of(world, org, family, &format!("{query}limit={limit}")).await;
    let pages = pages.iter().map(|page| page["data"].as_array().expect("a page"));
    pages.inspect(|page| assert!(page.len() <= limit, "{query}")).flatten().cloned().collect()
}

/// Creates assets that share names and scenarios, moves each to a random state, and tries to edit or delete
/// about half of them.
async fn fill(world: &World, org: &TestOrg, family: Family, random: &mut fastrand::Rng, count: usize) {
    for _ in 0..count {
        world.clock.advance(random.i64(0..3));
        let scenario = SCENARIOS[random.usize(0..SCENARIOS.len())];
        let mut pick = || NAMES[random.usize(0..NAMES.len())];
        let mut body = named(family, scenario, pick(), pick());
        belong_to(&mut body, CUSTOMERS[random.usize(0..CUSTOMERS.len())]);
        let created = create(world, org, family, &body).await.data();
        let path = format!("{}/{}", samples::library(family), created["asset_id"].as_str().expect("an ID"));
        world.clock.advance(random.i64(0..3));
        world.bring_to(org, &path, STATES[random.usize(0..STATES.len())]).await;
        let scenario = SCENARIOS[random.usize(0..SCENARIOS.len())];
        let mut pick = || NAMES[random.usize(0..NAMES.len())];
        let mut edited = named(family, scenario, pick(), pick());
        belong_to(&mut edited, CUSTOMERS[random.usize(0..CUSTOMERS.len())]);
        match random.usize(0..6) {
            0 => drop(world.delete(&path).key(&org.key).send().await),
            1 | 2 => drop(world.patch(&path).key(&org.key).json(&edited).send().await),
            _ => {}
        }
    }
}

#[tokio::test]
async fn filters_equal_an_in_memory_filter_of_the_whole_list() {
    let (world, org, other) = World::with_two_orgs().await;
    let mut random = fastrand::Rng::with_seed(11);
    for family in FAMILIES {
        fill(&world, &other, family, &mut random, 10).await;
        fill(&world, &org, family, &mut random, 60).await;
        world.clock.advance(60_000);
        let all = page_through(&world, &org, family, "", 100).await;
        let mut moments: Vec<_> = all.iter().filter_map(|asset| asset["updated_at"].as_str()).collect();
        moments.sort_unstable();
        let (oldest, middle) = (moments[0], moments[moments.len() / 2]);
        let mut kept = 0;
        for _ in 0..60 {
            world.clock.advance(30_000);
            let mut any = |of: &[&'static str]| random.bool().then(|| of[random.usize(0..of.len())]);
            let states = any(&["draft", "queued,failed", "completed,draft,in_flight", "failed,failed"]);
            let (scenario, customer) = (any(&SCENARIOS), any(&CUSTOMERS));
            let name = any(&["s", "SPR", "spring", "Spring L", "strasse", "STRAß", "x"]);
            let since = any(&["a", "b", "c"]).map(|which| match which {
                "a" => oldest,
                "b" => middle,
                _ => "2030-01-01T00:00:00.000Z",
            });
            let filter = Filter { states, scenario, customer, name, since };
            let expected: Vec<_> = all.iter().filter(|asset| filter.keeps(asset)).cloned().collect();
            kept += expected.len();
            let query = filter.query();
            for limit in [1, 7, 100] {
                let found = page_through(&world, &org, family, &query, limit).await;
                assert_eq!(found, expected, "{family} {query} {limit}");
            }
            let of_states = all.iter().filter(|asset| is_in(states, asset));
            let page = list(&world, &org, family, &format!("?{query}limit=1")).await.json();
            assert_eq!(page["pagination"]["total"], of_states.count(), "{query}");
            let matched = &page["pagination"]["total_matched"];
            assert!(
                *matched == expected.len()
                    || ((scenario.is_some() || customer.is_some()) && matched.is_null()),
                "{query} {matched}"
            );
        }
        assert!(kept > 100, "{kept}");
    }
}

#[tokio::test]
async fn customer_scenario_is_found_immediately_and_after_changes() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let find = async |scenario: &str, org: &TestOrg| {
            let query = format!("?customer_scenario_id={}", encoded(scenario));
            list(&world, org, family, &query).await.data()
        };
        for _ in 0..30 {
            world.draft(&org, family).await;
        }
        let long = "x".repeat(2_000);
        for scenario in ["one", "on", "ONE", " ", long.as_str()] {
            assert_eq!(find(scenario, &org).await, json!([]), "{scenario}");
            let body = named(family, scenario, "n", "m");
            let created = create(&world, &org, family, &body).await.data();
            world.wire.record();
            assert_eq!(find(scenario, &org).await, json!([created]), "{scenario}");
            let mut sent: Vec<_> = world.wire.take().into_iter().map(|sent| sent.operation).collect();
            sent.sort_unstable();
            assert_eq!(sent, ["BatchGetItem", "Query", "Query", "UpdateItem"], "{scenario}");
            let query = format!("?customer_scenario_id={}", encoded(scenario));
            let found = list(&world, &org, family, &query).await.json();
            assert_eq!(found["pagination"]["total_matched"], 1, "{scenario}");
            assert_eq!(find(scenario, &other).await, json!([]), "{scenario}");
        }
        let asset = find("one", &org).await[0].take();
        let path = format!("{}/{}", samples::library(family), asset["asset_id"].as_str().expect("an ID"));
        let moved = world.patch(&path).key(&org.key).json(&named(family, "two", "n", "m")).send().await;
        assert_eq!((find("one", &org).await, find("two", &org).await), (json!([]), json!([moved.data()])));
        world.bring_to(&org, &path, "queued").await;
        assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
        assert_eq!(find("two", &org).await, json!([]));
        let keys = super::stored_keys(&world, &org, family).await;
        let id = asset["asset_id"].as_str().expect("an ID");
        assert!(!keys.iter().any(|key| key.starts_with("customer#") && key.ends_with(id)), "{keys:?}");
    }
}

/// Stores older copies of an asset's main item directly in the table.
async fn copy_head(world: &World, org: &TestOrg, family: Family, copies: usize) {
    let library = AttributeValue::S(format!("{family}#{}", org.id));
    let items = world.stored("assets").await;
    let head = items.into_iter().find(|item| item["pk"] == library && item.contains_key("by_library"));
    let head = head.expect("a head");
    for copy in 0..copies {
        let mut item = head.clone();
        let id = format!("asset#01990000-0000-7000-8000-{copy:012}");
        item.insert("sk".to_owned(), AttributeValue::S(id));
        let put = world.engine().put_item().table_name("marquee-assets").set_item(Some(item));
        put.send().await.expect("a response");
    }
}

#[tokio::test]
async fn page_finds_the_only_match_among_thousands_and_reads_only_matching_bodies() {
    let (world, org) = World::with_org().await;
    for (family, query) in
        [(Family::Campaign, "?name=wanted"), (Family::Event, "?updated_since=2026-11-20T09:00:31Z")]
    {
        create(&world, &org, family, &named(family, "s", "other", "other")).await;
        copy_head(&world, &org, family, 2_300).await;
        let oldest = format!("{}/01990000-0000-7000-8000-{:012}", samples::library(family), 5);
        world.clock.advance(1_000);
        let edit = named(family, "s", "Wanted", "other");
        assert_eq!(world.patch(&oldest).key(&org.key).json(&edit).send().await.status, 200);
        for (query, matches) in [(query, 1), ("?name=nothing", 0)] {
            world.wire.record();
            let page = list(&world, &org, family, query).await.json();
            let sent = world.wire.take();
            let of_index = sent.iter().filter(|sent| sent.body["IndexName"] == "by_library");
            let (limits, units): (Vec<_>, Vec<_>) =
                of_index.map(|sent| (sent.body["Limit"].clone(), sent.units)).unzip();
            assert_eq!(limits, [json!(1_000), json!(24_000)], "{query}");
            // Half a unit per 4 KB. An entry has at most 250 bytes here.
            assert!(units.iter().sum::<f64>() <= 2_301.0 * 250.0 / 4_096.0 / 2.0 + 1.0, "{units:?}");
            let bodies = sent.iter().filter(|sent| sent.operation == "BatchGetItem").count();
            assert_eq!(bodies, matches, "only the bodies of returned assets are read");
            let pagination = json!({
                "cursor": null, "has_more": false, "total": 1, "total_matched": matches,
            });
            assert_eq!(page["pagination"], pagination, "{query}");
        }
        world.clock.advance(-1_000);
    }
}

#[tokio::test]
async fn list_by_customer_contains_an_asset_until_its_customer_changes() {
    let (world, org, other) = World::with_two_orgs().await;
    for family in FAMILIES {
        let find = async |customer: &str, org: &TestOrg| {
            list(&world, org, family, &format!("?customer_id={customer}")).await.data()
        };
        let created = create(&world, &org, family, &named(family, "s", "n", "m")).await.data();
        assert_eq!((find("1", &org).await, find("1", &other).await), (json!([created]), json!([])));
        let path = format!("{}/{}", samples::library(family), created["asset_id"].as_str().expect("an ID"));
        let mut moved = named(family, "s", "n", "m");
        belong_to(&mut moved, "2");
        let moved = world.patch(&path).key(&org.key).json(&moved).send().await.data();
        assert_eq!((find("1", &org).await, find("2", &org).await), (json!([]), json!([moved])));
        assert_eq!(world.delete(&path).key(&org.key).send().await.status, 204);
        assert_eq!(find("2", &org).await, json!([]));
        let keys = super::stored_keys(&world, &org, family).await;
        assert!(!keys.iter().any(|key| key.starts_with("customer")), "{keys:?}");
    }
}

#[tokio::test]
async fn cursor_of_another_list_returns_400() {
    let (world, org, other_org) = World::with_two_orgs().await;
    for (family, other_family) in [(FAMILIES[0], FAMILIES[1]), (FAMILIES[1], FAMILIES[0])] {
        for org in [&org, &other_org] {
            for _ in 0..3 {
                create(&world, org, family, &named(family, "s", "name", "name")).await;
            }
        }
        let same = "must be a cursor that this list returned for the same organization, library, and filters";
        let filters = [
            "",
            "state=draft",
            "state=draft,queued",
            "customer_scenario_id=s",
            "customer_id=1",
            "name=n",
            "name=na",
            "updated_since=2026-01-01T00:00:00Z",
            "updated_since=2026-01-01T00:00:01Z",
            "name=n&state=draft",
        ];
        for filter in filters {
            let first = list(&world, &org, family, &format!("?{filter}&limit=1")).await.json();
            let cursor = first["pagination"]["cursor"].as_str().expect("a cursor");
            for (org, family) in [(&other_org, family), (&org, other_family)] {
                let answer = list(&world, org, family, &format!("?{filter}&cursor={cursor}")).await;
                answer.assert_invalid(&[("?cursor", same)], filter);
            }
            for other in filters {
                let answer = list(&world, &org, family, &format!("?{other}&cursor={cursor}")).await;
                if other == filter {
                    assert_eq!(answer.status, 200, "{filter}: {}", answer.text());
                } else {
                    answer.assert_invalid(&[("?cursor", same)], filter);
                }
            }
        }
        let since = "?limit=1&updated_since=2026-01-01T00:00:00Z";
        let first = list(&world, &org, family, since).await.json();
        let cursor = first["pagination"]["cursor"].as_str().expect("a cursor");
        let same_moment = format!("?updated_since=2025-12-31T19:00:00-05:00&cursor={cursor}");
        assert_eq!(list(&world, &org, family, &same_moment).await.status, 200);
    }
}

#[tokio::test]
async fn invalid_filters_return_400() {
    let (world, org) = World::with_org().await;
    let long = format!("?name={}", "x".repeat(101));
    let moment = "must be an RFC 3339 date-time with an offset, such as 2026-11-20T09:00:00-05:00, got \"";
    for family in FAMILIES {
        for (query, expected) in [
            ("?customer_scenario_id=", vec![("?customer_scenario_id", "must not be empty")]),
            ("?customer_id=", vec![("?customer_id", "must ")]),
            ("?state=draft,", vec![("?state", "got \"\"")]),
            ("?state=draft,%20queued", vec![("?state", "got \" queued\"")]),
            ("?state=draft&state=queued", vec![("?state", "must be given only once")]),
            ("?name=", vec![("?name", "must not be empty; omit it to list every asset")]),
            (&long, vec![("?name", "must have at most 100 characters")]),
            ("?name=a&name=a", vec![("?name", "must be given only once")]),
            ("?updated_since=", vec![("?updated_since", moment)]),
            ("?updated_since=2026-11-20", vec![("?updated_since", moment)]),
            ("?updated_since=2026-11-20T09:00:00", vec![("?updated_since", moment)]),
            ("?updated_since=2026-11-20T09:00:00+01:00", vec![("?updated_since", moment)]),
            ("?updated_since=yesterday", vec![("?updated_since", "got \"yesterday\"")]),
            (
                "?fields=x&updated_since=y&name=&customer_scenario_id=&state=z",
                vec![
                    ("?state", "got \"z\""),
                    ("?customer_scenario_id", "must not be empty"),
                    ("?name", "must not be empty"),
                    ("?updated_since", "got \"y\""),
                    ("?fields", "got \"x\""),
                ],
            ),
        ] {
            let answer = list(&world, &org, family, query).await;
            answer.assert_invalid(&expected, query);
            assert_eq!(answer.credits_used(), paid(), "{query}");
        }
        let longest = format!("?name={}", "x".repeat(100));
        assert_eq!(list(&world, &org, family, &longest).await.data(), json!([]));
        let offset = "?updated_since=2026-11-20T09:00:00%2B01:00";
        assert_eq!(list(&world, &org, family, offset).await.data(), json!([]));
    }
}
