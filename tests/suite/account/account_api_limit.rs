//! The account API limit: 60 calls per minute for each person or key, rather than for the organization.

use harness::{Answer, World};
use store::{Person, Role};

use super::ACCOUNT;

async fn call(world: &World, person: &Person) -> Answer {
    world.get(ACCOUNT).bearer(&world.token(person)).send().await
}

#[tokio::test]
async fn each_person_has_sixty_calls_per_minute() {
    let (world, org) = World::with_org().await;
    let (one, other, outsider) = (world.person("one"), world.person("other"), world.person("outsider"));
    world.member(&org, &one, Role::Owner).await;
    world.member(&org, &other, Role::Member).await;
    for person in [&one, &outsider] {
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
async fn exceeding_the_limit_returns_429_without_a_database_call() {
    let world = World::new().await;
    let person = world.person("busy");
    for _ in 0..60 {
        call(&world, &person).await;
    }
    world.wire.record();
    assert_eq!(call(&world, &person).await.status, 429);
    assert_eq!(world.wire.take(), []);
    // A process with an empty cache makes at most two database calls for the first request, and none for the
    // second.
    let (_, router) = world.another_process(99).await;
    for writes in [2, 0] {
        world.wire.record();
        let token = world.token(&person);
        assert_eq!(world.get(ACCOUNT).bearer(&token).send_to(router.clone()).await.status, 429);
        assert!(world.wire.take().len() <= writes);
    }
}
