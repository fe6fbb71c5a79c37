//! The calls of an account's operations are counted by person, and by nothing of their organization.

use harness::{Answer, World};
use store::{Person, Role};

use super::ACCOUNT;

async fn call(world: &World, person: &Person) -> Answer {
    world.get(ACCOUNT).bearer(&world.token(person)).send().await
}

#[tokio::test]
async fn a_person_has_sixty_calls_a_minute_and_another_person_their_own() {
    let (world, org) = World::with_org().await;
    let (one, other, nobody) = (world.person("one"), world.person("other"), world.person("nobody"));
    world.member(&org, &one, Role::Owner).await;
    world.member(&org, &other, Role::Member).await;
    for person in [&one, &nobody] {
        for left in (0..60).rev() {
            let answer = call(&world, person).await;
            assert_eq!((answer.status.as_u16(), answer.number("x-ratelimit-remaining")), (200, left));
            assert_eq!(answer.number("x-ratelimit-limit"), 60);
            assert_eq!(answer.header("ratelimit-policy"), "\"minute\";q=60;w=60");
        }
        let refused = call(&world, person).await;
        assert_eq!(refused.error(), (429, "RATE_LIMITED".to_owned()));
        assert_eq!((refused.number("retry-after"), refused.number("x-ratelimit-remaining")), (30, 0));
    }
    assert_eq!(call(&world, &other).await.status, 200);
    world.clock.advance(30_000);
    assert_eq!(call(&world, &one).await.number("x-ratelimit-remaining"), 59);
}

#[tokio::test]
async fn whoever_has_used_up_their_minute_is_refused_without_a_call_of_the_database() {
    let world = World::new().await;
    let person = world.person("busy");
    for _ in 0..60 {
        call(&world, &person).await;
    }
    world.wire.record();
    assert_eq!(call(&world, &person).await.status, 429);
    assert_eq!(world.wire.take(), []);
    // Another process has to ask, once.
    let (_, router) = world.another_process(99).await;
    for writes in [2, 0] {
        world.wire.record();
        let token = world.token(&person);
        assert_eq!(world.get(ACCOUNT).bearer(&token).send_to(router.clone()).await.status, 429);
        assert!(world.wire.take().len() <= writes);
    }
}
