//! Caching, compression, and secrecy: tiles can be cached but credentials can't, and logs don't contain
//! tokens or grant IDs.

use harness::{Logs, World};

use super::{
    ORIGIN, PRODUCTS, ask_tilejson, ask_world_tile, at, create_grant, id, path_of_grant, revoke, split_token,
    tiles,
};

#[tokio::test]
async fn tiles_are_cacheable_and_revalidated_by_entity_tag() {
    let (world, org) = World::with_org().await;
    let mut tags = Vec::new();
    for (product, _) in PRODUCTS {
        let path = tiles(&world, &create_grant(&world, &org, product).await).await;
        for place in ["0/0/0", "4/4/6"] {
            let answer = world.get(&at(&path, place)).header("origin", ORIGIN).send().await;
            assert_eq!(answer.status, 200, "{product} {place}");
            assert_eq!(answer.header("content-type"), "application/vnd.mapbox-vector-tile");
            assert_eq!(answer.header("cache-control"), "private, max-age=30");
            assert_eq!(answer.header("vary"), "origin, accept-encoding");
            let tag = answer.header("etag").to_owned();
            assert!(tag.starts_with('"') && tag.ends_with('"') && tag.len() > 10, "{tag}");
            for known in [tag.clone(), format!("W/{tag}"), format!("\"x,y\", {tag}"), "*".to_owned()] {
                let answer = world.get(&at(&path, place)).header("if-none-match", &known).send().await;
                assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0), "{known}");
                assert_eq!(answer.header("etag"), tag);
                assert_eq!(answer.header("cache-control"), "private, max-age=30");
            }
            for other in ["\"x\"", "x", ""] {
                let answer = world.get(&at(&path, place)).header("if-none-match", other).send().await;
                assert_eq!(answer.status, 200, "{other}");
            }
            tags.push(tag);
        }
        // A tile has the same entity tag with every token and in every process.
        let other = tiles(&world, &create_grant(&world, &org, product).await).await;
        let (_, router) = world.another_process(99).await;
        let again = world.get(&at(&other, "4/4/6")).send_to(router).await;
        assert_eq!(Some(again.header("etag")), tags.last().map(String::as_str));
    }
    let all = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), all, "each tile has its own entity tag");
}

#[tokio::test]
async fn entity_tag_grants_no_access_after_a_revocation() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let path = at(&tiles(&world, &grant).await, "0/0/0");
    let tag = world.get(&path).send().await.header("etag").to_owned();
    let ask = || world.get(&path).header("if-none-match", &tag);
    assert_eq!(ask().header("origin", "https://other.example.com").send().await.status, 403);
    revoke(&world, &org, &grant).await;
    world.clock.advance(super::MEMORY_MILLIS);
    assert_eq!(ask().send().await.status, 410);
}

#[tokio::test]
async fn only_tiles_are_cacheable() {
    let (world, org) = World::with_org().await;
    let grant = create_grant(&world, &org, "places").await;
    let path = tiles(&world, &grant).await;
    let described = ask_tilejson(&world, &grant).send().await;
    assert_eq!(described.header("cache-control"), "no-store", "TileJSON contains a credential");
    let refused = [
        world.get(split_token(&at(&path, "0/0/0")).0).send().await,
        world.get(&at(&path, "0/1/0")).send().await,
        world.get(&at(&path, "0/0/0")).header("origin", "https://other.example.com").send().await,
        world.get(&path_of_grant(&grant).replace("tg_", "tg-")).key(&org.key).send().await,
    ];
    for answer in &refused[..3] {
        assert_eq!(answer.header("cache-control"), "no-store", "{}", answer.text());
    }
    let empty = world.get(&at(&path, "14/400/8300")).send().await;
    assert_eq!((empty.status.as_u16(), empty.header("cache-control")), (204, "private, max-age=30"));
    assert_eq!(empty.header("etag"), "");
}

#[tokio::test]
async fn tiles_are_compressed_on_request() {
    let (world, org) = World::with_org().await;
    for (product, _) in PRODUCTS {
        let path = tiles(&world, &create_grant(&world, &org, product).await).await;
        let plain = ask_world_tile(&world, &path).await;
        assert_eq!((plain.header("content-encoding"), plain.sent_bytes), ("", plain.body.len()));
        let compressed = world.get(&at(&path, "0/0/0")).header("accept-encoding", "gzip").send().await;
        assert!(compressed.body == plain.body, "{product}");
        assert_eq!(compressed.header("etag"), plain.header("etag"));
        if plain.body.len() >= 1_400 {
            assert_eq!(compressed.header("content-encoding"), "gzip");
            assert!(compressed.sent_bytes < plain.sent_bytes);
        }
    }
}

#[tokio::test]
async fn logs_and_errors_contain_no_tokens_or_grant_ids() {
    let world = World::new().await;
    let logs = Logs::capture();
    let org = world.org("org_a").await;
    let grant = create_grant(&world, &org, "places").await;
    let path = tiles(&world, &grant).await;
    let (_, token) = split_token(&path);
    let parts: Vec<_> = token.split('.').skip(1).collect();
    let mut refused = Vec::new();
    ask_world_tile(&world, &path).await;
    refused.push(ask_world_tile(&world, &format!("{path}x")).await);
    refused.push(world.get(&at(&path, "0/0/0")).header("origin", "https://other.example.com").send().await);
    refused.push(ask_tilejson(&world, &grant).header("origin", "https://other.example.com").send().await);
    world.get(&path_of_grant(&grant)).key(&org.key).send().await;
    revoke(&world, &org, &grant).await;
    world.clock.advance(super::MEMORY_MILLIS);
    refused.push(ask_world_tile(&world, &path).await);
    refused.push(ask_tilejson(&world, &grant).send().await);
    world.wire.inject_faults(|_| harness::Fault::ErrorBeforeCommit);
    world.clock.advance(super::MEMORY_MILLIS);
    refused.push(ask_world_tile(&world, &path).await);
    refused.push(ask_tilejson(&world, &grant).send().await);
    let statuses: Vec<_> = refused.iter().map(|answer| answer.status.as_u16()).collect();
    assert_eq!(statuses, [401, 403, 403, 410, 410, 503, 503]);
    for secret in [id(&grant), &id(&grant)[3..], token, parts[0], parts[1]] {
        for line in logs.lines() {
            assert!(!line.contains(secret), "{line}");
        }
        for answer in &refused {
            assert!(!format!("{:?} {}", answer.headers, answer.text()).contains(secret), "{}", answer.text());
        }
    }
    let lines = logs.of("request");
    let products: std::collections::BTreeSet<_> =
        lines.iter().filter_map(|line| line["fields"]["product"].as_str()).collect();
    assert_eq!(products, ["tile", "tile_grants", "tilejson"].into());
    for line in &lines {
        assert!(line["fields"].get("path").is_none() && line["fields"].get("uri").is_none(), "{line}");
    }
}
