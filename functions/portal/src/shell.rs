//! The page that loads all others: one document, which names the files and holds the configuration.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};

use crate::pages::FILES;
use crate::settings::Settings;

/// Stands in the document for the links to the style sheets of pages.
const PAGE_STYLES: &str = "{{page-styles}}";
/// Where those style sheets are.
const PAGE_STYLES_FOLDER: &str = "styles/pages/";

/// Stands in the document for the configuration.
const CONFIGURATION: &str = "{{configuration}}";

const IMPORT_MAP: &str = "<script type=\"importmap\">";
const SCRIPT_END: &str = "</script>";

/// The document, before it holds a configuration.
#[derive(Debug)]
pub(crate) struct Shell {
    before: String,
    after: String,
    /// The source expression by which the policy allows the import map, the one script within the document.
    import_map: String,
}

/// What is wrong with the document.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    #[error("index.html is not UTF-8")]
    Encoding,
    #[error("index.html has no `{0}`")]
    Without(&'static str),
}

impl Shell {
    /// Fills in the document: the address of the files, and links to the style sheets among them.
    pub(crate) fn of<'a>(
        document: &[u8],
        address: &str,
        files: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ShellError> {
        let document = std::str::from_utf8(document).map_err(|_| ShellError::Encoding)?;
        let styles = files.filter(|name| name.starts_with(PAGE_STYLES_FOLDER));
        let links = styles.map(|name| format!("<link rel=\"stylesheet\" href=\"{FILES}/{name}\">"));
        let document = document.replace(PAGE_STYLES, &links.collect::<Vec<_>>().join("\n"));
        let document = document.replace(FILES, address);
        let (before, after) = document.split_once(CONFIGURATION).ok_or(ShellError::Without(CONFIGURATION))?;
        let (_, map) = document.split_once(IMPORT_MAP).ok_or(ShellError::Without(IMPORT_MAP))?;
        let (map, _) = map.split_once(SCRIPT_END).ok_or(ShellError::Without(SCRIPT_END))?;
        Ok(Self { before: before.to_owned(), after: after.to_owned(), import_map: hash(map) })
    }

    /// Writes the document with the settings as its configuration.
    pub(crate) fn html(&self, settings: &Settings) -> Result<String, serde_json::Error> {
        // Within a script element, `<` could end it; JSON may spell it otherwise.
        let json = serde_json::to_string(settings)?.replace('<', "\\u003c");
        Ok(format!("{}{json}{}", self.before, self.after))
    }

    /// Writes the policy: everything comes from the pages' own origin, but for connections to these others.
    pub(crate) fn policy(&self, connections: &[&str]) -> String {
        let Self { import_map, .. } = self;
        format!(
            "default-src 'none'; script-src 'self' {import_map}; worker-src 'self'; style-src 'self'; \
             img-src 'self' data:; connect-src 'self' {}; form-action 'self'; base-uri 'none'; \
             frame-ancestors 'none'",
            connections.join(" ")
        )
    }
}

fn hash(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(digest(&SHA256, script.as_bytes())))
}
