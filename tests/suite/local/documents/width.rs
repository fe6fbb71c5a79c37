//! How wide the lines of prose are.

use super::documents;

/// The most columns of a line, as rustfmt.toml has it for code.
const WIDTH: usize = 110;

/// Returns the lines of prose that are too wide. Tables, blocks of code and addresses may be wider.
fn too_wide(document: &str) -> Vec<&str> {
    let mut in_block = false;
    let is_prose = |line: &&str| {
        in_block ^= line.starts_with("```");
        !in_block && !line.starts_with('|') && !line.starts_with("    ") && !line.contains("](http")
    };
    document.lines().filter(is_prose).filter(|line| line.chars().count() > WIDTH).collect()
}

#[test]
fn no_line_of_prose_has_more_than_110_columns() {
    let documents = documents();
    assert!(documents.len() > 25, "{documents:?}");
    for path in documents {
        let document = std::fs::read_to_string(&path).expect("a document");
        assert_eq!(too_wide(&document), [""; 0], "{path:?}");
    }
}

#[test]
fn a_table_and_a_block_of_code_may_be_wider() {
    let wide = "word ".repeat(30);
    assert_eq!(too_wide(&wide), [wide.as_str()]);
    for wider in [format!("| {wide}|"), format!("    {wide}"), format!("```sh\n{wide}\n```\nprose")] {
        assert_eq!(too_wide(&wider), [""; 0], "{wider}");
    }
}
