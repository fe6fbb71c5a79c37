//! Paging of CSV and GeoJSON: GET operations return `Link` headers, and search requests select the page in
//! the body.

use std::collections::BTreeMap;

use harness::{Answer, PUBLIC_URL, TestOrg, World, samples};
use serde_json::json;
use store::Family;

use super::{A_MINUTE, CSV, GEO_JSON, TableCall, read_csv};

/// Returns the URLs in the `Link` header, by relation.
fn links(answer: &Answer) -> BTreeMap<String, String> {
    let link = answer.header("link");
    let parts = link.split(", ").filter(|part| !part.is_empty());
    let relation = |part: &str| {
        let (address, relation) = part.split_once(">; rel=\"").expect("a link");
        (relation.trim_end_matches('"').to_owned(), address.trim_start_matches('<').to_owned())
    };
    parts.map(relation).collect()
}

/// Follows the links from a path to the last page. Returns the lines of all pages and the number of pages.
async fn all_lines(world: &World, org: &TestOrg, path: &str) -> (Vec<Vec<String>>, usize) {
    let (mut lines, mut pages, mut path) = (Vec::new(), 0, path.to_owned());
    let first = path.clone();
    loop {
        let answer = world.get(&path).key(&org.key).header("accept", CSV).send().await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let links = links(&answer);
        assert_eq!(links["first"], format!("{PUBLIC_URL}{first}"), "{path}");
        lines.extend(read_csv(&answer.body).into_iter().skip(1));
        pages += 1;
        match links.get("next") {
            Some(next) => {
                path =
                    next.strip_prefix(PUBLIC_URL).expect("the link is an address of the service").to_owned()
            }
            None => {
                assert_eq!(answer.number("x-total-count"), lines.len() as i64);
                return (lines, pages);
            }
        }
    }
}

#[tokio::test]
async fn links_lead_through_all_markets_with_the_same_parameters() {
    let (world, org) = World::with_org().await;
    let (lines, pages) =
        all_lines(&world, &org, "/v2/markets?geography_type=COUNTY&state=CA&sort=name&limit=25").await;
    assert_eq!((lines.len(), pages), (58, 3));
    assert!(lines.is_sorted_by(|one, other| one[1] < other[1]));
    let (lines, pages) = all_lines(&world, &org, "/v2/markets").await;
    assert_eq!((lines.len(), pages), (210, 9));
}

#[tokio::test]
async fn links_lead_through_all_assets() {
    let (world, org) = World::with_org().await;
    for family in [Family::Campaign, Family::Event] {
        for _ in 0..5 {
            world.draft(&org, family).await;
        }
        let path = format!("{}?limit=2&fields=asset_id%2Cstate", samples::library(family));
        let (lines, pages) = all_lines(&world, &org, &path).await;
        assert_eq!((lines.len(), pages), (5, 3));
    }
}

#[tokio::test]
async fn links_do_not_repeat_the_sent_cursor() {
    let (world, org) = World::with_org().await;
    let first = world.get("/v2/markets?limit=100").key(&org.key).header("accept", CSV).send().await;
    let next = links(&first)["next"].replace(PUBLIC_URL, "");
    let cursor = next.split_once("cursor=").expect("a cursor").1;
    let path = format!("/v2/markets?cursor={cursor}&limit=100");
    let second = world.get(&path).key(&org.key).header("accept", CSV).send().await;
    let links = links(&second);
    assert_eq!(links["first"], format!("{PUBLIC_URL}/v2/markets?limit=100"));
    assert!(!links["next"].contains(cursor) && links["next"].contains("limit=100&cursor="), "{links:?}");
}

#[tokio::test]
async fn search_is_paged_by_its_body() {
    let (world, org) = World::with_org().await;
    for (name, accept) in
        [("POST /v2/msearch", CSV), ("POST /msearch/inventory", CSV), ("POST /msearch/inventory", GEO_JSON)]
    {
        let (mut seen, mut page) = (0, 1);
        loop {
            world.clock.advance(A_MINUTE);
            let search = json!({
                "filter": { "geo_distance": { "lat": 40.758, "lon": -73.9855, "distance": "800m" } },
                "pagination": { "page": page, "page_size": 40 },
            });
            let answer = TableCall::post(name, search).answer(&world, &org, accept).await;
            assert_eq!((answer.status.as_u16(), answer.header("link")), (200, ""), "{name}");
            seen += match accept {
                CSV => read_csv(&answer.body).len() - 1,
                _ => answer.json()["features"].as_array().expect("a list").len(),
            };
            if page * 40 >= answer.number("x-total-count") {
                assert_eq!(seen as i64, answer.number("x-total-count"), "{name}");
                break;
            }
            page += 1;
        }
        assert!(page > 1, "{name}: {seen}");
    }
}
