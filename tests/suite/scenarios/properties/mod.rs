//! Property tests: valid bodies are returned unchanged, and all other input is refused with an error in the
//! standard envelope.

mod bodies;
mod bytes;

use bodies::valid;
use harness::{Answer, TestOrg, World, samples};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use store::Family;

use super::{FAMILIES, create, list, read, split};

/// Runs a property test with a fixed seed. Each case starts in a new minute, so rate limits don't apply.
fn check<T: std::fmt::Debug>(
    cases: u32,
    strategy: impl Strategy<Value = T>,
    property: impl AsyncFn(&World, &TestOrg, T),
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let (world, org) = runtime.block_on(async {
        let (world, org) = World::with_org().await;
        (world, org)
    });
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 200, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&strategy, |case| {
        world.clock.advance(60_000);
        runtime.block_on(property(&world, &org, case));
        Ok(())
    });
    if let Err(failure) = result {
        panic!("{failure}");
    }
}

fn families() -> impl Strategy<Value = Family> {
    proptest::sample::select(FAMILIES.to_vec())
}

/// Checks that a response is a success or a refusal. The harness also checks it against the contract.
fn assert_no_fault(answer: &Answer, context: &dyn std::fmt::Debug) {
    let status = answer.status.as_u16();
    assert!(
        (200..300).contains(&status) || (400..500).contains(&status),
        "{context:?} gave {}",
        answer.text()
    );
}

/// Removes null members from a body, because null means the same as an absent member.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let present = members.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(present.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        other => other,
    }
}

#[test]
fn any_valid_body_is_returned_by_create_read_and_list() {
    let cases = families().prop_flat_map(|family| (Just(family), valid(family)));
    check(200, cases, async |world, org, (family, body)| {
        let created = create(world, org, family, &body).await.data();
        assert_eq!(split(&created).1, without_nulls(body));
        let id = created["asset_id"].as_str().expect("an ID");
        assert_eq!(read(world, org, &format!("{}/{id}", samples::library(family))).await.data(), created);
        assert_eq!(list(world, org, family, "?limit=1").await.data(), json!([created]));
    });
}

#[test]
fn any_members_of_a_valid_body_can_be_patched() {
    let cases = families().prop_flat_map(|family| {
        (Just(family), valid(family), valid(family), proptest::collection::vec(any::<bool>(), 7))
    });
    check(100, cases, async |world, org, (family, body, other, taken)| {
        let created = create(world, org, family, &body).await.data();
        let path = format!("{}/{}", samples::library(family), created["asset_id"].as_str().expect("an ID"));
        let members = other.as_object().expect("a body").clone();
        let patch: Value =
            members.into_iter().zip(taken).filter_map(|(member, taken)| taken.then_some(member)).collect();
        let edited = world.patch(&path).key(&org.key).json(&patch).send().await.data();
        let mut expected = body;
        for (member, value) in patch.as_object().expect("a patch") {
            expected[member] = value.clone();
        }
        assert_eq!(split(&edited).1, without_nulls(expected));
        assert_eq!(read(world, org, &path).await.data(), edited);
    });
}
