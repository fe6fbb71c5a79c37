//! Each inventory filter finds exactly the records that a look at every record finds.

use std::collections::BTreeSet;

use dataset::fold;
use dataset::inventory::{FlagCriterion, TextCriterion};
use harness::{World, price};
use serde_json::{Value, json};
use shared::types::Product;

use super::{at, found_by, ids, ids_where, records, results, search, total};

/// Returns a text as the service compares it.
fn key(text: &str) -> String {
    fold(&text.replace('-', " "))
}

fn key_at(record: &Value, path: &str) -> Option<String> {
    at(record, path).as_str().map(key)
}

/// Returns a few of the texts that records have at a path.
fn some_texts(path: &str) -> Vec<&'static str> {
    let texts: BTreeSet<&str> = records().iter().filter_map(|record| at(record, path).as_str()).collect();
    let texts: Vec<&str> = texts.into_iter().filter(|text| !key(text).is_empty()).collect();
    texts.iter().step_by(texts.len().div_ceil(3).max(1)).copied().collect()
}

#[tokio::test]
async fn an_empty_object_finds_all_that_is_measured_by_ascending_id() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let found = search(&world, &org, &json!({})).await;
    assert!(records().len() > 2_000);
    assert_eq!(total(&found), records().len());
    assert_eq!(results(&found), &records()[..50], "whole records, as they lie in the release");
    let members: Vec<_> = found.as_object().expect("an object").keys().collect();
    assert_eq!(members, ["meta", "results", "status", "total"]);
    assert_eq!(found["meta"]["product"], "inventory_search");
    assert_eq!(found["meta"]["credits_used"], price(Product::InventorySearch));
    assert_eq!(found_by(&world, &org, &json!({})).await, ids_where(|_| true));
}

#[tokio::test]
async fn each_text_criterion_takes_the_whole_text_however_it_is_written() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let mut found_any = BTreeSet::new();
    for criterion in TextCriterion::ALL {
        let path = criterion.field().path();
        for text in some_texts(path) {
            let expected = ids_where(|record| key_at(record, path) == Some(key(text)));
            assert!(!expected.is_empty());
            found_any.insert(criterion.name());
            let spaced = format!("  {} ", text.replace(' ', "  "));
            for written in
                [text, &text.to_uppercase(), &text.to_lowercase(), &text.replace('-', " "), &spaced]
            {
                let filter = json!({ criterion.name(): written });
                assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
            }
            let filter = json!({ criterion.name(): format!("{text} x") });
            assert_eq!(found_by(&world, &org, &filter).await, [0; 0], "{filter}");
        }
    }
    assert!(found_any.len() >= 6, "{found_any:?}");
}

#[tokio::test]
async fn a_flag_finds_those_of_which_it_is_known() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for criterion in FlagCriterion::ALL {
        for wanted in [true, false] {
            let expected = ids_where(|record| record[criterion.name()] == wanted);
            let filter = json!({ criterion.name(): wanted });
            assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
        }
    }
    assert!(!ids_where(|record| record["digital"] == true).is_empty());
}

#[tokio::test]
async fn a_piece_of_the_primary_artery_is_enough() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let path = "location.primary_artery";
    for text in some_texts(path) {
        let middle: String = text.chars().skip(1).take(5).collect();
        for piece in [text, &text.to_uppercase(), &middle] {
            if key(piece).is_empty() {
                continue;
            }
            let expected =
                ids_where(|record| key_at(record, path).is_some_and(|artery| artery.contains(&key(piece))));
            assert!(!expected.is_empty(), "{piece}");
            let filter = json!({ "primary_artery": piece });
            assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
        }
    }
    assert_eq!(found_by(&world, &org, &json!({ "primary_artery": "no such road" })).await, [0; 0]);
}

/// Returns the words of the five texts of a record that are searched.
fn words(record: &Value) -> BTreeSet<String> {
    let paths = [
        "location.dma_name",
        "location.cbsa_name",
        "location.county_name",
        "location.primary_artery",
        "media_name",
    ];
    let texts = paths.iter().filter_map(|path| key_at(record, path));
    let without_apostrophes = texts.map(|text| text.replace(['\'', '\u{2019}', '`'], ""));
    let words = without_apostrophes.flat_map(|text| {
        text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_owned).collect::<Vec<_>>()
    });
    words.filter(|word| !word.is_empty()).collect()
}

#[tokio::test]
async fn every_word_of_a_search_must_be_there_and_the_last_may_be_a_beginning() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let of_first: Vec<String> = words(&records()[0]).into_iter().collect();
    let of_last: Vec<String> = words(&records()[records().len() - 1]).into_iter().collect();
    let mut cases = vec![
        "san francisco".to_owned(),
        "NEW york".to_owned(),
        "fran san".to_owned(),
        "york zebra".to_owned(),
    ];
    for of_one in [&of_first, &of_last] {
        let (first, last) = (&of_one[0], &of_one[of_one.len() - 1]);
        cases.push(format!("{last} {first}"));
        cases.push(format!("&& {first}, ({last})"));
        cases.push(format!("{first} {}", last.chars().take(2).collect::<String>()));
        cases.push(format!("{} {first}", last.chars().take(2).collect::<String>()));
    }
    for text in cases {
        let wanted = key(&text);
        let wanted: Vec<&str> =
            wanted.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let (last, whole) = wanted.split_last().expect("words");
        let expected = ids_where(|record| {
            let words = words(record);
            whole.iter().all(|word| words.contains(*word)) && words.iter().any(|word| word.starts_with(last))
        });
        let filter = json!({ "search": text });
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
    assert_eq!(found_by(&world, &org, &json!({ "search": "york zebra" })).await, [0; 0]);
}

#[tokio::test]
async fn the_bounds_of_ids_are_included_and_may_be_any_integers() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let all = ids_where(|_| true);
    let (first, middle, last) = (all[0], all[all.len() / 2], all[all.len() - 1]);
    let (first, middle, last) = (first.cast_signed(), middle.cast_signed(), last.cast_signed());
    let huge = i64::from(u32::MAX) + 1;
    let cases = [
        (Some(middle), None),
        (None, Some(middle)),
        (Some(middle), Some(middle)),
        (Some(first), Some(last)),
        (Some(first + 1), Some(last - 1)),
        (Some(last + 1), None),
        (None, Some(first - 1)),
        (Some(i64::MIN), Some(i64::MAX)),
        (Some(-5), Some(huge)),
        (Some(huge), None),
        (Some(huge), Some(huge)),
        (Some(i64::MAX), None),
        (None, Some(0)),
        (None, Some(-1)),
        (Some(i64::MIN), Some(i64::MIN)),
    ];
    for (min, max) in cases {
        let is_within = |id: u64| {
            min.is_none_or(|min| id.cast_signed() >= min) && max.is_none_or(|max| id.cast_signed() <= max)
        };
        let expected: Vec<u64> = all.iter().copied().filter(|id| is_within(*id)).collect();
        let filter = json!({ "id_min": min, "id_max": max });
        assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
    }
}

#[tokio::test]
async fn criteria_are_combined_and_either_name_of_the_filter_is_taken() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    let expected = ids_where(|record| record["location"]["state"] == "NY" && record["digital"] == true);
    assert!(!expected.is_empty() && expected.len() < records().len());
    let middle = expected[expected.len() / 2];
    let expected: Vec<u64> = expected.into_iter().filter(|id| *id >= middle).collect();
    let filter = json!({ "state": "ny", "digital": true, "id_min": middle });
    let page = json!({ "page_size": 10_000 });
    for (name, other) in [("filter", "filters"), ("filters", "filter")] {
        for body in [
            json!({ name: filter, "pagination": page }),
            json!({ name: filter, other: null, "pagination": page }),
        ] {
            let found =
                search(&world, &org, &json!({ "fieldSet": ["id"], name: body[name], "pagination": page }))
                    .await;
            assert_eq!(ids(&found), expected, "{body}");
        }
    }
    let nothing = json!({ "state": "NY", "dma_name": "San Francisco-Oakland-San Jose" });
    assert_eq!(found_by(&world, &org, &nothing).await, [0; 0]);
    for open in [
        json!(null),
        json!({}),
        json!({ "state": null, "digital": null, "geo_distance": null, "id_min": null }),
    ] {
        assert_eq!(found_by(&world, &org, &open).await.len(), records().len(), "{open}");
    }
}

#[tokio::test]
async fn a_state_is_given_by_its_letters_or_by_its_name() {
    let world = World::new().await;
    let org = world.org("org_a").await;
    for (letters, name) in [("NY", "New York"), ("CA", "California")] {
        let expected = ids_where(|record| record["location"]["state"] == letters);
        assert!(!expected.is_empty());
        for written in [letters, &letters.to_lowercase(), name, &name.to_uppercase(), &name.replace(' ', "-")]
        {
            let filter = json!({ "state": written });
            assert_eq!(found_by(&world, &org, &filter).await, expected, "{filter}");
        }
    }
    for nothing in ["New", "Calif", "Wyoming", "WY"] {
        assert_eq!(found_by(&world, &org, &json!({ "state": nothing })).await, [0; 0], "{nothing}");
    }
}
