//! Renders the documents for customers, converts the API description to JSON, and embeds both in the
//! function.

#[path = "build/links.rs"]
mod links;
#[path = "build/markdown.rs"]
mod markdown;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder that contains the documents' sources, relative to this crate.
const FOLDER: &str = "../../docs";

/// The API description, relative to this crate.
const DESCRIPTION: &str = "../../openapi.yaml";

/// The documents to render, by group. Each has a name, which is part of its address, and a file in `docs`.
/// Names never change, because API responses and other sites link to the addresses.
pub(crate) const GROUPS: [(&str, &[(&str, &str)]); 4] = [
    (
        "Start",
        &[
            ("concepts", "explanation/concepts.md"),
            ("planner", "tutorials/planner.md"),
            ("developer", "tutorials/developer.md"),
            ("analyst", "tutorials/analyst.md"),
        ],
    ),
    (
        "Guides",
        &[
            ("workflows", "how-to/workflows.md"),
            ("webhooks", "how-to/webhooks.md"),
            ("clients", "how-to/clients.md"),
            ("agents", "how-to/agents.md"),
        ],
    ),
    (
        "Reference",
        &[
            ("errors", "reference/errors.md"),
            ("products", "reference/products.md"),
            ("glossary", "reference/glossary.md"),
            ("versions", "reference/versions.md"),
        ],
    ),
    (
        "Background",
        &[
            ("model", "explanation/model.md"),
            ("estimates", "explanation/estimates.md"),
            ("security", "explanation/security.md"),
        ],
    ),
];

fn main() {
    println!("cargo:rerun-if-changed=web");
    println!("cargo:rerun-if-changed=build");
    println!("cargo:rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let mut table = String::from("[\n");
    for (group, documents) in GROUPS {
        for (name, file) in documents {
            let title = render(file, &out.join(name));
            table += &format!(
                "Document {{ group: {group:?}, name: {name:?}, title: {title:?}, \
                 html: include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}.html\")), \
                 markdown: include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}.md\")) }},\n"
            );
        }
    }
    fs::write(out.join("documents.rs"), table + "]\n").expect("OUT_DIR is writable");
    fs::write(out.join("openapi.json"), description()).expect("OUT_DIR is writable");
}

/// Renders a document to HTML and to Markdown with the portal's addresses. Writes them to `target` as `.html`
/// and `.md` files. Returns the document's title.
fn render(file: &str, target: &Path) -> String {
    let path = Path::new(FOLDER).join(file);
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (title, html) = markdown::render(&text, |link| links::address(file, link));
    fs::write(target.with_extension("html"), html).expect("OUT_DIR is writable");
    let markdown = markdown::with_addresses(&text, |link| links::markdown_address(file, link));
    fs::write(target.with_extension("md"), markdown).expect("OUT_DIR is writable");
    title
}

/// Returns the API description as JSON.
fn description() -> String {
    println!("cargo:rerun-if-changed={DESCRIPTION}");
    let text = fs::read_to_string(DESCRIPTION).expect("the API description is readable");
    let document: serde_json::Value = serde_saphyr::from_str(&text).expect("the API description is YAML");
    document.to_string()
}
