//! Renders the documents for customers to HTML, and embeds them in the function.

#[path = "build/links.rs"]
mod links;
#[path = "build/markdown.rs"]
mod markdown;

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The folder that contains the documents' sources, relative to this crate.
const FOLDER: &str = "../../docs";

/// The documents to render, by group. Each one has a name for its address, and a file in `docs`. Names never
/// change, because API responses and other sites link to the addresses.
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
    ("Guides", &[("workflows", "how-to/workflows.md"), ("clients", "how-to/clients.md")]),
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
            let title = render(file, &out.join(format!("{name}.html")));
            table += &format!(
                "Document {{ group: {group:?}, name: {name:?}, title: {title:?}, \
                 html: include_str!(concat!(env!(\"OUT_DIR\"), \"/{name}.html\")) }},\n"
            );
        }
    }
    fs::write(out.join("documents.rs"), table + "]\n").expect("OUT_DIR is writable");
}

/// Renders a document to the file `target`. Returns the document's title.
fn render(file: &str, target: &Path) -> String {
    let path = Path::new(FOLDER).join(file);
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (title, html) = markdown::render(&text, |link| links::address(file, link));
    fs::write(target, html).expect("OUT_DIR is writable");
    title
}
