//! Keys, tokens, and implementation details never appear in logs or responses.

use std::collections::BTreeSet;

use accounting::Tier;
use harness::{Answer, Call, Fault, Logs, World, samples};
use http::Method;

#[tokio::test]
async fn keys_and_tokens_never_appear_in_logs_or_responses() {
    let world = World::new().await;
    let logs = Logs::capture();
    let org = world.org_with("org_a", Tier::Sandbox, 0).await;
    let token = world.bearer(&org).await;
    let unknown_key = format!("mq_live_{}", "5ec2e7".repeat(11)[..64].to_owned());
    let malformed_key = format!("{}5ec2e7", org.key);
    let signature = token.rsplit('.').next().expect("a signature").to_owned();
    let foreign_token = token.replace(&signature, &"5ec2e7".repeat(14));
    let secrets = [
        org.key.clone(),
        org.key[8..].to_owned(),
        token.clone(),
        signature,
        "5ec2e7".to_owned(),
        "hunter2".to_owned(),
    ];
    let authorize: [&dyn Fn(Call<'_>) -> Call<'_>; 10] = [
        &|call| call.key(&org.key),
        &|call| call.bearer(&token),
        &|call| call.key(&unknown_key),
        &|call| call.key(&malformed_key),
        &|call| call.bearer(&foreign_token),
        &|call| call.bearer(&org.key),
        &|call| call.header("authorization", &org.key),
        &|call| call.header("authorization", "Basic hunter2"),
        &|call| call.header("apikey", &org.key).header("x-session-token", "mqs_hunter2"),
        &|call| call.key(&org.key).bearer(&token),
    ];
    let mut answers = Vec::new();
    for authorize in authorize {
        answers.push(authorize(world.get("/v2/health")).send().await);
        answers
            .push(authorize(world.post("/v2/scenarios/campaigns").json(&samples::campaign())).send().await);
        answers.push(authorize(world.get("/v2/scenarios/events?limit=hunter")).send().await);
        for fault in [Fault::RequestLost, Fault::ErrorAfterCommit, Fault::None] {
            world.wire.inject_faults(move |_| fault);
            answers.push(authorize(world.get("/v2/billing/credits")).send().await);
        }
    }
    for _ in 0..10 {
        answers.push(world.get("/v2/scenarios/campaigns").key(&org.key).send().await);
    }
    let statuses: BTreeSet<_> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    assert!([200, 400, 401, 429, 503].iter().all(|status| statuses.contains(status)), "{statuses:?}");
    for secret in &secrets {
        for line in logs.lines() {
            assert!(!line.contains(secret.as_str()), "{line}");
        }
        for answer in &answers {
            assert!(!shown(answer).contains(secret.as_str()), "{answer:?}");
        }
    }
    assert!(logs.lines().len() >= answers.len(), "every call logs a line");
}

#[tokio::test]
async fn errors_reveal_no_internals() {
    let (world, org) = World::with_org().await;
    let mut answers = Vec::new();
    for fault in [Fault::RequestLost, Fault::ErrorBeforeCommit, Fault::Throttled] {
        world.wire.inject_faults(move |_| fault);
        answers.push(world.get("/v2/scenarios/campaigns").key(&org.key).send().await);
        answers.push(world.call(Method::DELETE, "/v2/scenarios/campaigns/x").key(&org.key).send().await);
    }
    for answer in answers {
        assert_eq!(answer.error(), (503, "SERVICE_UNAVAILABLE".to_owned()));
        let text = answer.text().to_lowercase();
        for inside in [
            "dynamo",
            "harness",
            "127.0.0.1",
            "panick",
            "src/",
            "sdk",
            "wire",
            "marquee-accounts",
            "provisioned",
        ] {
            assert!(!text.contains(inside), "{inside}: {text}");
        }
    }
}

fn shown(answer: &Answer) -> String {
    format!("{:?} {}", answer.headers, answer.text())
}
