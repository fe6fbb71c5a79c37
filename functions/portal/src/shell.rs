//! The shell: the HTML document that all of the portal's pages share.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::digest::{SHA256, digest};

use crate::pages::FILES;
use crate::settings::Settings;

/// The placeholder for the links to style sheets of individual pages.
const PAGE_STYLES: &str = "{{page-styles}}";
/// The folder of style sheets for individual pages.
const PAGE_STYLES_FOLDER: &str = "styles/pages/";

/// The placeholder for the settings, as JSON.
const CONFIGURATION: &str = "{{configuration}}";

const IMPORT_MAP: &str = "<script type=\"importmap\">";
const SCRIPT_END: &str = "</script>";

/// The shell's HTML, split at the placeholder for the configuration.
#[derive(Debug)]
pub(crate) struct Shell {
    before: String,
    after: String,
    /// The source expression for the import map in the content security policy. The import map is the only
    /// inline script.
    import_map: String,
}

/// An error in the shell's source, `index.html`.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    #[error("index.html is not UTF-8")]
    Encoding,
    #[error("index.html has no `{0}`")]
    Without(&'static str),
}

impl Shell {
    /// Creates the shell from `index.html`. Inserts `address`, the base path of the files, and links to the
    /// style sheets of individual pages.
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

    /// Returns the shell's HTML with the settings as its configuration.
    pub(crate) fn html(&self, settings: &Settings) -> Result<String, serde_json::Error> {
        // Escape `<`, because `</script>` in a setting would end the script element.
        let json = serde_json::to_string(settings)?.replace('<', "\\u003c");
        Ok(format!("{}{json}{}", self.before, self.after))
    }

    /// Returns the content security policy. Everything loads from the portal's own origin, except that pages
    /// can also connect to the token issuer, the origin of its sign-out page, and the search gateway, and
    /// load an administrator's base map.
    pub(crate) fn policy(&self, settings: &Settings) -> String {
        let Self { import_map, .. } = self;
        format!(
            "default-src 'none'; script-src 'self' {import_map}; worker-src 'self'; style-src 'self'; \
             font-src 'self'; img-src 'self' data:{}; connect-src 'self'{}; form-action 'self'; \
             base-uri 'none'; frame-ancestors 'none'",
            listed(settings.images()),
            listed(settings.connections())
        )
    }
}

/// Returns the origins as additional sources for a directive, each preceded by a space.
fn listed(origins: BTreeSet<&str>) -> String {
    origins.into_iter().map(|origin| format!(" {origin}")).collect()
}

fn hash(script: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(digest(&SHA256, script.as_bytes())))
}
