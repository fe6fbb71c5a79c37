//! Limits the width of prose lines in the documents.

use super::documents;

/// The same as `max_width` in rustfmt.toml.
const WIDTH: usize = 110;

/// Returns the prose lines that are too wide. Tables, code blocks, and lines with web links may be wider.
fn too_wide(document: &str) -> Vec<&str> {
    let mut in_block = false;
    let is_prose = |line: &&str| {
        in_block ^= line.starts_with("```");
        !in_block && !line.starts_with('|') && !line.starts_with("    ") && !line.contains("](http")
    };
    document.lines().filter(is_prose).filter(|line| line.chars().count() > WIDTH).collect()
}

#[test]
fn prose_lines_are_at_most_110_columns_wide() {
    let documents = documents();
    assert!(documents.len() > 25, "{documents:?}");
    for path in documents {
        let document = std::fs::read_to_string(&path).expect("a document");
        assert_eq!(too_wide(&document), [""; 0], "{path:?}");
    }
}

#[test]
fn tables_and_code_blocks_may_be_wider() {
    let wide = "word ".repeat(30);
    assert_eq!(too_wide(&wide), [wide.as_str()]);
    for wider in [format!("| {wide}|"), format!("    {wide}"), format!("```sh\n{wide}\n```\nprose")] {
        assert_eq!(too_wide(&wider), [""; 0], "{wider}");
    }
}
