//! The documents for customers, as MCP resources. The portal lists them in `/llms.txt` and serves them as
//! Markdown.

use http::Request;
use rmcp::model::Resource;

use crate::settings::Gateways;

/// The path of the list of documents.
const LIST: &str = "/llms.txt";

/// The prefix of the documents' paths.
const FOLDER: &str = "/portal/docs/";

/// The media type of the documents.
pub(crate) const MARKDOWN: &str = "text/markdown";

/// Returns the request for the list of documents.
pub(crate) fn list_request(gateways: &Gateways) -> Request<String> {
    request(&format!("{}{LIST}", gateways.api))
}

/// Returns the request for a document, or `None` if the address isn't a document's.
pub(crate) fn document_request(address: &str, gateways: &Gateways) -> Option<Request<String>> {
    let name = address.strip_prefix(&gateways.api)?.strip_prefix(FOLDER)?.strip_suffix(".md")?;
    let is_name = name.len() < 64 && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    is_name.then(|| request(address))
}

/// Parses the list of documents. Each document is on a line `- [title](path)`, and its path ends with `.md`.
pub(crate) fn parse_list(text: &str, gateways: &Gateways) -> Vec<Resource> {
    let links = text.lines().filter_map(|line| line.strip_prefix("- [")?.strip_suffix(')')?.split_once("]("));
    let documents = links.filter(|(_, path)| path.starts_with(FOLDER) && path.ends_with(".md"));
    documents
        .map(|(title, path)| {
            let address = format!("{}{path}", gateways.api);
            Resource::new(address, &path[FOLDER.len()..]).with_title(title).with_mime_type(MARKDOWN)
        })
        .collect()
}

fn request(address: &str) -> Request<String> {
    Request::get(address).body(String::new()).expect("the gateways have valid addresses")
}
