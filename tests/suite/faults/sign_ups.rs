//! An organization with its grant and its owner, or none, whatever the database loses of a sign-up.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use harness::Fault::{
    self, AnswerLost, ArrivesLate, Conflict, ErrorAfterCommit, ErrorBeforeCommit, RequestLost, Throttled,
};
use harness::{Answer, Sent, World, WorldOptions, samples};
use store::{Person, Role};

use crate::account::ORGANIZATION;
use crate::account::sign_up::accounts;

/// What somebody else does meanwhile.
type Change = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What happens to the requests of one database call of a sign-up, one after the other; the SDK sends each up
/// to four times.
const DROPPED: [&[Fault]; 12] = [
    &[AnswerLost],
    &[ErrorAfterCommit],
    &[RequestLost],
    &[ErrorBeforeCommit],
    &[Throttled, AnswerLost],
    &[Conflict, AnswerLost, Conflict, ErrorAfterCommit],
    &[AnswerLost, AnswerLost, AnswerLost, AnswerLost],
    &[ErrorAfterCommit, ErrorAfterCommit, ErrorAfterCommit, ErrorAfterCommit],
    &[RequestLost, RequestLost, RequestLost, RequestLost],
    &[RequestLost, AnswerLost, RequestLost, ErrorBeforeCommit],
    &[ArrivesLate(1), ArrivesLate(2), ArrivesLate(3), ArrivesLate(4)],
    &[ArrivesLate(20), ArrivesLate(30), ArrivesLate(40), ArrivesLate(1_000)],
];

/// The database calls of a sign-up, in their order: its place in the minute, the membership, the sign-up; and
/// of one that another one of the same person was ahead of, the membership and what is kept of earlier ones.
const CALLS: [&str; 3] = ["UpdateItem", "GetItem", "TransactWriteItems"];
const CALLS_AGAIN: [&str; 3] = ["UpdateItem", "GetItem", "BatchGetItem"];

async fn sign_up(world: &World, person: &Person) -> Answer {
    let call = world.post(ORGANIZATION).bearer(&world.token(person));
    call.json(&samples::sign_up()).send().await
}

/// Holds that the person's retry is answered with their organization, which is the world's `number`th.
async fn assert_made_once(world: &World, person: &Person, answer: &Answer, number: usize) {
    let again = sign_up(world, person).await;
    assert_eq!(again.status, 200, "{}", again.text());
    let org_id = |answer: &Answer| answer.data()["organization"]["org_id"].clone();
    if answer.status == 200 {
        assert_eq!(org_id(&again), org_id(answer));
    }
    let accounts = accounts(world).await;
    assert_eq!(accounts.len(), number, "one for each person");
    for (org, account) in accounts {
        assert_eq!(account.totals.granted, 2_000, "{org}");
        assert_eq!(world.operator.members(&org).await.expect("the engine answers").len(), 1, "{org}");
    }
}

async fn world() -> World {
    let attempt_timeout = Duration::from_millis(500);
    World::with(WorldOptions { attempt_timeout, ..WorldOptions::default() }).await
}

#[tokio::test]
async fn a_sign_up_whose_calls_are_lost_is_an_organization_with_its_grant_or_none() {
    let world = world().await;
    let (mut people, mut given_up) = (0, 0);
    for operation in CALLS {
        for faults in DROPPED {
            people += 1;
            let person = world.person(&format!("person-{people}"));
            world.wire.break_in_order(move |sent: &Sent| sent.operation == operation, faults);
            let answer = sign_up(&world, &person).await;
            world.wire.mend().await;
            let is_known = matches!(answer.status.as_u16(), 200 | 503);
            assert!(is_known, "{operation} {faults:?}: {}", answer.text());
            given_up += usize::from(answer.status == 503);
            assert_made_once(&world, &person, &answer, people).await;
        }
    }
    assert!(given_up > 5, "some were given up: {given_up}");
}

#[tokio::test]
async fn a_retry_whose_calls_are_lost_makes_nothing() {
    let world = world().await;
    let person = world.person("newcomer");
    let first = sign_up(&world, &person).await;
    for operation in CALLS_AGAIN {
        for faults in DROPPED {
            world.clock.advance(60_000);
            world.wire.break_in_order(move |sent: &Sent| sent.operation == operation, faults);
            let answer = sign_up(&world, &person).await;
            world.wire.mend().await;
            assert!(matches!(answer.status.as_u16(), 200 | 503), "{operation} {faults:?}: {}", answer.text());
            assert_made_once(&world, &person, &first, 1).await;
        }
    }
}

#[tokio::test]
async fn a_sign_up_that_another_of_the_same_person_overtakes_answers_with_that_ones_organization() {
    for faults in DROPPED {
        let world = world().await;
        let person = world.person("newcomer");
        let overtaking = world.post(ORGANIZATION).bearer(&world.token(&person)).json(&samples::sign_up());
        overtaking.send_before(|sent| sent.operation == "TransactWriteItems", 200).await;
        let answer = sign_up(&world, &person).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        world.wire.mend().await;
        // And once more, where what it asks then is lost.
        world.clock.advance(60_000);
        world.wire.break_in_order(|sent: &Sent| sent.operation == "BatchGetItem", faults);
        let again = sign_up(&world, &person).await;
        assert!(matches!(again.status.as_u16(), 200 | 503), "{}", again.text());
        world.wire.mend().await;
        assert_made_once(&world, &person, &answer, 1).await;
    }
}

#[tokio::test]
async fn who_is_mapped_between_look_and_sign_up_is_409_and_503_when_they_are_unmapped_again() {
    for (is_unmapped, expected) in
        [(false, (409, "ALREADY_IN_ORGANIZATION")), (true, (503, "SERVICE_UNAVAILABLE"))]
    {
        let world = World::new().await;
        let (org, person) = (world.org("org_a").await, world.person("newcomer"));
        let (operator, id, subject) = (world.operator.clone(), org.id.clone(), person.subject.clone());
        let mapping = async move {
            operator.add_member(&id, subject, Some(Role::Member)).await.expect("a mapping");
        };
        let (operator, id, subject) = (world.operator.clone(), org.id.clone(), person.subject.clone());
        let unmapping = async move {
            operator.remove_member(&id, subject).await.expect("a member");
        };
        let mut mapping: Option<Change> = Some(Box::pin(mapping));
        let mut unmapping: Option<Change> = is_unmapped.then_some(Box::pin(unmapping));
        let mut looks = 0;
        world.wire.interleave(move |sent| {
            if sent.operation == "TransactWriteItems" {
                return mapping.take();
            }
            looks += usize::from(sent.operation == "GetItem" && sent.body["Key"]["sk"]["S"] == "subject");
            // Admission's, the operator's, and the one that finds out what was in the way.
            if looks == 3 { unmapping.take() } else { None }
        });
        let answer = sign_up(&world, &person).await;
        world.wire.mend().await;
        assert_eq!(answer.error(), (expected.0, expected.1.to_owned()), "{}", answer.text());
        assert_eq!(accounts(&world).await.len(), 1, "the operator's alone");
        if is_unmapped {
            assert_eq!(sign_up(&world, &person).await.status, 200);
        }
    }
}
