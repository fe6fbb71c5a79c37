//! One file of the pages, as it is sent.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A file, compressed.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) content_type: &'static str,
    pub(crate) gzip: Vec<u8>,
}

impl File {
    /// Makes a file of what lies in the folder, by its name there; returns the name that it is served under.
    ///
    /// What is vendored lies there compressed, as `.gz`; the rest is compressed here.
    pub(crate) fn stored<'a>(name: &'a str, content: &[u8]) -> (&'a str, Self) {
        match name.strip_suffix(".gz") {
            Some(served) => (served, Self { content_type: content_type(served), gzip: content.to_owned() }),
            None => (name, Self { content_type: content_type(name), gzip: compress(content) }),
        }
    }
}

fn compress(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).and_then(|()| encoder.finish()).expect("a vector takes every byte")
}

fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "md" => "text/markdown; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}
