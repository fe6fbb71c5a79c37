//! Sign-ups during database faults. A sign-up creates an organization with its grant and its owner, or
//! nothing.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use gateway::SelfSignUp;
use harness::Fault::{
    self, AnswerLost, ArrivesLate, Conflict, ErrorAfterCommit, ErrorBeforeCommit, RequestLost, Throttled,
};
use harness::{Answer, Sent, World, WorldOptions, samples};
use store::{Person, Role};

use crate::account::ORGANIZATION;
use crate::account::sign_up::accounts;

/// A concurrent change to the database.
type Change = Pin<Box<dyn Future<Output = ()> + Send>>;

/// The faults in the successive attempts at one database call. Each row is one scenario. The SDK attempts
/// each call up to four times.
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

/// A sign-up's database calls for the rate limit, the membership, and the sign-up itself.
const CALLS: [&str; 3] = ["UpdateItem", "GetItem", "TransactWriteItems"];
/// A repeated sign-up's database calls for the rate limit, the membership, and the earlier sign-up.
const CALLS_AGAIN: [&str; 3] = ["UpdateItem", "GetItem", "BatchGetItem"];

async fn sign_up(world: &World, person: &Person) -> Answer {
    let call = world.post(ORGANIZATION).bearer(&world.token(person));
    call.json(&samples::sign_up()).send().await
}

/// Asserts that a retry returns the person's organization, and that there are `number` organizations, each
/// with one grant and one member.
async fn assert_made_once(world: &World, person: &Person, answer: &Answer, number: usize) {
    let again = sign_up(world, person).await;
    assert_eq!(again.status, 200, "{}", again.text());
    let org_id = |answer: &Answer| answer.data()["organization"]["org_id"].clone();
    if answer.status == 200 {
        assert_eq!(org_id(&again), org_id(answer));
    }
    let accounts = accounts(world).await;
    assert_eq!(accounts.len(), number, "expected one organization per person");
    for (org, account) in accounts {
        assert_eq!(account.totals.granted, 2_000, "{org}");
        assert_eq!(world.administrator.members(&org).await.expect("a response").len(), 1, "{org}");
    }
}

async fn world() -> World {
    let attempt_timeout = Duration::from_millis(500);
    let self_sign_up = Some(SelfSignUp { per_day: 1_000 });
    World::with(WorldOptions { attempt_timeout, self_sign_up, ..WorldOptions::default() }).await
}

#[tokio::test]
async fn sign_up_under_faults_creates_an_organization_with_its_grant_or_nothing() {
    let world = world().await;
    let (mut people, mut given_up) = (0, 0);
    for operation in CALLS {
        for faults in DROPPED {
            people += 1;
            let person = world.person(&format!("person-{people}"));
            world.wire.break_in_order(move |sent: &Sent| sent.operation == operation, faults);
            let answer = sign_up(&world, &person).await;
            world.wire.stop_faults().await;
            let is_known = matches!(answer.status.as_u16(), 200 | 503);
            assert!(is_known, "{operation} {faults:?}: {}", answer.text());
            given_up += usize::from(answer.status == 503);
            assert_made_once(&world, &person, &answer, people).await;
        }
    }
    assert!(given_up > 5, "expected more than 5 failed sign-ups, got {given_up}");
}

#[tokio::test]
async fn retry_under_faults_creates_nothing() {
    let world = world().await;
    let person = world.person("newcomer");
    let first = sign_up(&world, &person).await;
    for operation in CALLS_AGAIN {
        for faults in DROPPED {
            world.clock.advance(60_000);
            world.wire.break_in_order(move |sent: &Sent| sent.operation == operation, faults);
            let answer = sign_up(&world, &person).await;
            world.wire.stop_faults().await;
            assert!(matches!(answer.status.as_u16(), 200 | 503), "{operation} {faults:?}: {}", answer.text());
            assert_made_once(&world, &person, &first, 1).await;
        }
    }
}

#[tokio::test]
async fn concurrent_sign_up_returns_the_organization_of_the_first_one() {
    for faults in DROPPED {
        let world = world().await;
        let person = world.person("newcomer");
        let overtaking = world.post(ORGANIZATION).bearer(&world.token(&person)).json(&samples::sign_up());
        overtaking.send_before(|sent| sent.operation == "TransactWriteItems", 200).await;
        let answer = sign_up(&world, &person).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        world.wire.stop_faults().await;
        // Signs up again while the read of the earlier sign-up has faults.
        world.clock.advance(60_000);
        world.wire.break_in_order(|sent: &Sent| sent.operation == "BatchGetItem", faults);
        let again = sign_up(&world, &person).await;
        assert!(matches!(again.status.as_u16(), 200 | 503), "{}", again.text());
        world.wire.stop_faults().await;
        assert_made_once(&world, &person, &answer, 1).await;
    }
}

#[tokio::test]
async fn joining_an_organization_during_sign_up_returns_409_or_503_if_removed_again() {
    for (is_unmapped, expected) in
        [(false, (409, "ALREADY_IN_ORGANIZATION")), (true, (503, "SERVICE_UNAVAILABLE"))]
    {
        let world = World::new().await;
        let (org, person) = (world.org("org_a").await, world.person("newcomer"));
        let (operator, id, subject) = (world.administrator.clone(), org.id.clone(), person.subject.clone());
        let mapping = async move {
            operator
                .add_member(&id, subject, Some(Role::Member))
                .await
                .expect("the person joins the organization");
        };
        let (operator, id, subject) = (world.administrator.clone(), org.id.clone(), person.subject.clone());
        let unmapping = async move {
            operator.remove_member(&id, subject).await.expect("removed");
        };
        let mut mapping: Option<Change> = Some(Box::pin(mapping));
        let mut unmapping: Option<Change> = is_unmapped.then_some(Box::pin(unmapping));
        let mut looks = 0;
        world.wire.interleave(move |sent| {
            if sent.operation == "TransactWriteItems" {
                return mapping.take();
            }
            looks += usize::from(sent.operation == "GetItem" && sent.body["Key"]["sk"]["S"] == "subject");
            // The third read follows the failed transaction. Admission and the administrator made the first
            // two.
            if looks == 3 { unmapping.take() } else { None }
        });
        let answer = sign_up(&world, &person).await;
        world.wire.stop_faults().await;
        assert_eq!(answer.error(), (expected.0, expected.1.to_owned()), "{}", answer.text());
        assert_eq!(accounts(&world).await.len(), 1, "expected only the administrator's organization");
        if is_unmapped {
            assert_eq!(sign_up(&world, &person).await.status, 200);
        }
    }
}
