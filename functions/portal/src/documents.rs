//! The documents for customers, at permanent addresses: HTML pages that work without scripts, and Markdown
//! and JSON for programs.

use std::fmt::Write;

use gateway::replace_example_origins;

/// A document that the build script rendered from Markdown.
#[derive(Debug)]
pub struct Document {
    /// The heading in the navigation list under which the document is listed.
    pub group: &'static str,
    /// The document's name in its address, `/portal/docs/NAME`.
    pub name: &'static str,
    pub title: &'static str,
    pub html: &'static str,
    /// The document's source. Its links lead to the Markdown versions of other documents.
    pub markdown: &'static str,
}

/// All documents, in the same order as in the navigation list.
pub const DOCUMENTS: &[Document] = &include!(concat!(env!("OUT_DIR"), "/documents.rs"));

/// The API description as JSON.
const DESCRIPTION: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// The introduction to the list of documents.
const SUMMARY: &str = "\
# Marquee

> An HTTP API for planning out-of-home advertising in the United States: displays with audience data, places \
with visits, cohorts and population, and libraries of campaigns and events with estimates and measurements.

Calls require an API key in the `X-API-Key` header and cost credits; `meta` and the response headers state \
the price. Figures that come from a model have a `maturity` or a provenance other than `production`. The search \
gateway has its own origin for `/v2/msearch`, which is listed under `servers`.

## API

- [OpenAPI description](/openapi.json): all operations, their prices, examples, and errors
- MCP server: `POST /mcp` with an API key; see AI agents
";

const TITLE: &str = "{{title}}";
const NAVIGATION: &str = "{{navigation}}";
const CONTENT: &str = "{{content}}";

/// The content of the 404 page.
const NOT_FOUND: &str = "<h1>Page not found</h1>\n<p>There's no document at this address.</p>\n";

/// The origins of the main API and the search gateway, as the reader's browser reaches them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origins<'a> {
    pub(crate) api: &'a str,
    pub(crate) search: &'a str,
}

/// Returns the document with the given name, if there is one.
pub(crate) fn named(name: &str) -> Option<&'static Document> {
    DOCUMENTS.iter().find(|document| document.name == name)
}

/// Fills the template with a document, or with [`NOT_FOUND`] if `document` is `None`. In the document's
/// examples, replaces the origins with the deployment's.
pub(crate) fn page(template: &str, document: Option<&Document>, origins: Origins) -> String {
    let (title, html) = document.map_or(("Page not found", NOT_FOUND), |own| (own.title, own.html));
    let html = replace_example_origins(html, origins.api, origins.search);
    let navigation = navigation(document.map(|own| own.name));
    template.replace(TITLE, title).replace(NAVIGATION, &navigation).replace(CONTENT, &html)
}

/// Returns a document's source, with the example origins replaced by the deployment's.
pub(crate) fn markdown(document: &Document, origins: Origins) -> String {
    replace_example_origins(document.markdown, origins.api, origins.search)
}

/// Returns the API description as JSON, with the deployment's origins.
pub(crate) fn description(origins: Origins) -> String {
    replace_example_origins(DESCRIPTION, origins.api, origins.search)
}

/// Returns the list of all documents for programs, in the format of <https://llmstxt.org>.
pub(crate) fn list() -> String {
    let mut list = SUMMARY.to_owned();
    let mut group = "";
    for document in DOCUMENTS {
        if document.group != group {
            group = document.group;
            write!(list, "\n## {group}\n\n").expect("writing to a string succeeds");
        }
        let Document { name, title, .. } = document;
        writeln!(list, "- [{title}](/portal/docs/{name}.md)").expect("writing to a string succeeds");
    }
    list
}

fn navigation(current: Option<&str>) -> String {
    let mut list = String::new();
    let mut group = "";
    for document in DOCUMENTS {
        if document.group != group {
            group = document.group;
            writeln!(list, "<h2>{group}</h2>").expect("writing to a string succeeds");
        }
        let mark = if current == Some(document.name) { " aria-current=\"page\"" } else { "" };
        let Document { name, title, .. } = document;
        writeln!(list, "<a href=\"/portal/docs/{name}\"{mark}>{title}</a>")
            .expect("writing to a string succeeds");
    }
    list
}
