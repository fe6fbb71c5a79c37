//! Area and brand names in filters: common names match, unknown areas are reported as violations, and unknown
//! brands as warnings.

use accounting::Product;
use dataset::{AreaKind, AreaNames, Geographies, GeographyType};
use harness::{World, price, sample_release};
use serde_json::{Value, json};

use super::{SEARCH, ask, ids, search, total};

async fn found(world: &World, org: &harness::TestOrg, filter: &Value) -> (usize, Vec<u64>) {
    let found = search(world, org, &json!({ "filter": filter, "pagination": { "page_size": 1_000 } })).await;
    (total(&found), ids(&found))
}

#[tokio::test]
async fn common_names_find_the_places_of_their_areas() {
    let (world, org) = World::with_org().await;
    for (member, names, full) in [
        ("county_name", &["Kings, NY", "Brooklyn", "kings county ny"][..], "Kings County, NY"),
        ("county_name", &["Orleans, LA"], "Orleans Parish, LA"),
        ("county_name", &["St Louis city, MO"], "St. Louis city, MO"),
        ("dma_name", &["NYC", "New York City"], "New York"),
        ("dma_name", &["Washington, D.C.", "DC"], "Washington, DC (Hagrstwn)"),
        ("dma_name", &["Dallas", "DFW", "dallas ft worth"], "Dallas-Ft. Worth"),
        ("state", &["D.C.", "Washington DC"], "DC"),
        ("state", &["Calif.", "california"], "CA"),
    ] {
        let expected = found(&world, &org, &json!({ member: full })).await;
        assert!(expected.0 > 10, "{full}: {}", expected.0);
        for name in names {
            assert_eq!(found(&world, &org, &json!({ member: name })).await, expected, "{member} {name}");
        }
    }
}

#[tokio::test]
async fn ambiguous_county_name_finds_the_places_of_all_its_counties() {
    let (world, org) = World::with_org().await;
    let mut all = 0;
    for county in ["Kings County, NY", "Kings County, CA"] {
        all += found(&world, &org, &json!({ "county_name": county })).await.0;
    }
    for name in ["Kings", "Kings County"] {
        assert_eq!(found(&world, &org, &json!({ "county_name": name })).await.0, all, "{name}");
    }
}

#[tokio::test]
async fn unknown_area_returns_400_with_the_nearest_names_and_is_charged() {
    let (world, org) = World::with_org().await;
    for (member, name, words) in [
        (
            "county_name",
            "Suffok County",
            "; the closest matches are \"Suffolk County, MA\", \"Suffolk County, NY\"",
        ),
        ("dma_name", "501", "must be a known TV market (DMA), got \"501\""),
        (
            "state",
            "Wahsington",
            "must be a known state, got \"Wahsington\"; the closest match is \"Washington\"",
        ),
    ] {
        let answer = ask(&world, &org, SEARCH, &json!({ "filter": { member: name } })).await;
        answer.assert_invalid(&[(&format!("/filter/{member}"), words)], name);
        assert_eq!(answer.credits_used(), price(Product::PlaceSearch));
    }
    let all = json!({ "state": "x", "dma_name": "x", "county_name": "x", "place_type_name": "x" });
    let answer = ask(&world, &org, SEARCH, &json!({ "filter": all })).await;
    assert_eq!(answer.violations().len(), 4, "{}", answer.text());
}

#[tokio::test]
async fn unknown_brand_returns_200_with_a_warning() {
    let (world, org) = World::with_org().await;
    let body = |brand| json!({ "filter": { "place_name": "coffee", "brand": brand } });
    let answer = ask(&world, &org, SEARCH, &body("Starbuks")).await;
    let warning = json!({
        "pointer": "/filter/brand",
        "detail": "\"Starbuks\" is not a brand in this release; the closest match is \"Starbucks\"",
    });
    let meta = &answer.json()["meta"];
    assert_eq!((&meta["warnings"], &meta["warnings_total"]), (&json!([warning]), &json!(1)));
    let known = ask(&world, &org, SEARCH, &body("STARBUCKS")).await;
    assert_eq!(known.json()["meta"].get("warnings"), None);
}

#[test]
fn every_area_is_found_by_its_name() {
    let geographies = Geographies::open(sample_release()).expect("the sample's geographies");
    let names = AreaNames::new(&geographies);
    for (kind, types) in [
        (AreaKind::Cbsa, &[GeographyType::Msa, GeographyType::Micropolitan][..]),
        (AreaKind::County, &[GeographyType::County]),
        (AreaKind::Dma, &[GeographyType::Dma]),
        (AreaKind::State, &[GeographyType::State]),
    ] {
        for area in types.iter().flat_map(|one| geographies.of_type(*one)) {
            let name = geographies.get(area).name;
            assert_eq!(names.find(kind, name), [area], "{name}");
            assert_eq!(names.find(kind, &name.to_uppercase()), [area], "{name}");
            let short = name.split(" County, ").next().expect("a name");
            assert!(kind != AreaKind::County || names.find(kind, short).contains(&area), "{name}");
        }
    }
}
