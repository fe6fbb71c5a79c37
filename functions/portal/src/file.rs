//! A file of the portal, served with gzip compression.

use std::io::Write;
use std::sync::OnceLock;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file that is compressed when it's first requested, so that compression doesn't delay cold starts.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) content_type: &'static str,
    content: Content,
}

#[derive(Debug)]
enum Content {
    /// A third-party file, which the `web` folder contains as a `.gz` file.
    Vendored(Bytes),
    Own {
        plain: Vec<u8>,
        gzip: OnceLock<Bytes>,
    },
}

impl File {
    /// Creates a file from its name and content in the `web` folder. Also returns the name that the file is
    /// served as, without `.gz`.
    pub(crate) fn stored(name: &str, content: Vec<u8>) -> (&str, Self) {
        let (served, content) = match name.strip_suffix(".gz") {
            Some(served) => (served, Content::Vendored(content.into())),
            None => (name, Content::Own { plain: content, gzip: OnceLock::new() }),
        };
        (served, Self { content_type: content_type(served), content })
    }

    /// Returns the gzip-compressed content.
    pub(crate) fn gzip(&self) -> Bytes {
        match &self.content {
            Content::Vendored(gzip) => gzip.clone(),
            Content::Own { plain, gzip } => gzip.get_or_init(|| compress(plain)).clone(),
        }
    }
}

fn compress(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).and_then(|()| encoder.finish()).expect("writing to a vector succeeds").into()
}

fn content_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "woff2" => "font/woff2",
        "svg" => "image/svg+xml",
        "md" => "text/markdown; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}
