//! Tests reading `.xlsx` workbooks.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use builder::columns::{Matching, propose};
use builder::displays::SCHEMA;
use builder::rows::{Dialect, Row, RowReader};
use rust_xlsxwriter::{Format, Formula, Workbook, Worksheet};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::{path, rows, values};

fn workbook(fill: impl FnOnce(&mut Workbook)) -> PathBuf {
    let mut workbook = Workbook::new();
    fill(&mut workbook);
    let path = path("xlsx");
    workbook.save(&path).expect("a file in the target folder");
    path
}

fn sheet(fill: impl FnOnce(&mut Worksheet)) -> PathBuf {
    workbook(|workbook| fill(workbook.add_worksheet()))
}

fn names(sheet: &mut Worksheet, row: u32, names: &[&str]) {
    sheet.write_row(row, 0, names.iter().copied()).expect("strings");
}

/// Returns the error for a workbook that can't be read.
fn refusal(path: &Path, dialect: &Dialect) -> String {
    let error = rows(path, dialect).expect_err("no rows").to_string();
    error.strip_prefix(&format!("{}: ", path.display())).expect("the name of the file").to_owned()
}

/// Returns the line number of each unreadable row, and the reason.
fn unreadable(rows: &[Row]) -> Vec<(u64, &str)> {
    let problem = |row| match row {
        &Row::Read(_) => None,
        Row::Unreadable(problem) => Some((problem.line, problem.reason.as_str())),
    };
    rows.iter().filter_map(problem).collect()
}

#[test]
fn cells_are_read_as_a_csv_file_would_have_them() {
    let path = sheet(|sheet| {
        names(sheet, 2, &["Unit #", "Lat", "Noise", "Lit", "Description"]);
        sheet.write_row(3, 0, [4071.0, 36.2085, 0.1 + 0.2, -73.987_5]).expect("numbers");
        sheet.write_boolean(3, 3, true).expect("a boolean");
        sheet.write(3, 4, "I-15, north\nof \"Exit\" 12").expect("a string");
        names(sheet, 6, &["Total"]);
    });
    let (columns, rows) = rows(&path, &Dialect::default()).unwrap();
    assert_eq!(columns, ["Unit #", "Lat", "Noise", "Lit", "Description"]);
    assert_eq!(values(&rows[0], &columns), ["4071", "36.2085", "0.3", "true", "I-15, north\nof \"Exit\" 12"]);
    assert_eq!(values(&rows[1], &columns), ["Total", "", "", "", ""]);
    let lines: Vec<u64> = rows.iter().map(|row| crate::readable(row).line).collect();
    assert_eq!(lines, [4, 7], "the numbers of the rows in the sheet");
    assert_eq!(
        crate::readable(&rows[0]).raw,
        b"4071,36.2085,0.3,true,\"I-15, north\nof \"\"Exit\"\" 12\"",
        "rejected rows are written as CSV"
    );
}

/// Replaces a string in all of a workbook's parts and returns the new workbook's path.
fn rewritten(path: &Path, from: &str, to: &str) -> PathBuf {
    let changed = crate::path("xlsx");
    rewrite(path, &changed, from, to).expect("a workbook");
    changed
}

fn rewrite(old: &Path, new: &Path, from: &str, to: &str) -> ZipResult<()> {
    let mut old = ZipArchive::new(File::open(old)?)?;
    let mut new = ZipWriter::new(File::create(new)?);
    for at in 0..old.len() {
        let mut part = old.by_index(at)?;
        let name = part.name()?.into_owned();
        let mut content = String::new();
        part.read_to_string(&mut content)?;
        new.start_file(name, SimpleFileOptions::default())?;
        new.write_all(content.replace(from, to).as_bytes())?;
    }
    new.finish()?;
    Ok(())
}

#[test]
fn dates_are_read_in_both_date_systems() {
    for is_1904 in [false, true] {
        // Converts a serial number from the date system that starts in 1900 to the workbook's date system.
        let number = |days: f64| if is_1904 { days - 1462.0 } else { days };
        let path = sheet(|sheet| {
            names(sheet, 0, &["Day", "Moment", "Time", "Duration", "Number"]);
            for (column, number, format) in [
                (0, number(46_327.0), "m/d/yyyy"),
                (1, number(46_812.0 + 66_605.0 / 86_400.0), "yyyy-mm-dd hh:mm:ss"),
                (2, 0.25, "h:mm AM/PM"),
                (3, 1.5, "[h]:mm"),
                (4, 46_327.0, "#,##0"),
            ] {
                sheet.write_with_format(1, column, number, &Format::new().set_num_format(format)).unwrap();
            }
            sheet.write_with_format(2, 1, -5.0, &Format::new().set_num_format("m/d/yyyy")).unwrap();
        });
        let is_1904_part = "<workbookPr date1904=\"1\" ";
        let path = if is_1904 { rewritten(&path, "<workbookPr ", is_1904_part) } else { path };
        let (columns, rows) = rows(&path, &Dialect::default()).unwrap();
        assert_eq!(
            values(&rows[0], &columns),
            ["2026-11-01", "2028-02-29 18:30:05", "06:00:00", "36:00:00", "46327"],
            "1904: {is_1904}"
        );
        let reason = "cell B3 is formatted as a date, but its value isn't a date in the years 1900 to 9999";
        assert_eq!(unreadable(&rows), [(3, reason)]);
    }
}

/// A placeholder for a formula's stored value, which is removed later.
const NO_VALUE: &str = "to be removed";

fn without_values(path: &Path) -> PathBuf {
    rewritten(path, &format!("<v>{NO_VALUE}</v>"), "")
}

#[test]
fn unusable_cells_reject_only_their_rows() {
    let path = sheet(|sheet| {
        names(sheet, 0, &["A", "B", "C"]);
        names(sheet, 1, &["1"]);
        sheet.write(1, 2, Formula::new("=A1+1").set_result(NO_VALUE)).unwrap();
        names(sheet, 2, &["2"]);
        sheet.write(2, 1, Formula::new("=NA()").set_result("#N/A")).unwrap();
        names(sheet, 3, &["3", "", "", "note"]);
        sheet.merge_range(4, 0, 5, 0, "4", &Format::new()).unwrap();
        sheet.write(5, 1, "x").unwrap();
        names(sheet, 6, &["5", "y", "z"]);
        sheet.write(6, 2, Formula::new("=A7*2").set_result("10")).unwrap();
    });
    let (columns, rows) = rows(&without_values(&path), &Dialect::default()).unwrap();
    assert_eq!(
        unreadable(&rows),
        [
            (
                2,
                "the formula in cell C2 has no stored value; open the workbook in a spreadsheet program and save it"
            ),
            (3, "cell B3 contains the error #N/A; correct it"),
            (5, "cells A5:A6 are merged; unmerge them and fill in each cell"),
            (6, "cells A5:A6 are merged; unmerge them and fill in each cell"),
        ]
    );
    assert_eq!(columns, ["A", "B", "C", "column 4 (no name)"]);
    assert_eq!(values(&rows[2], &columns), ["3", "", "", "note"]);
    assert_eq!(values(&rows[5], &columns), ["5", "y", "10", ""]);
}

#[test]
fn unusable_headers_are_refused() {
    let merged = sheet(|sheet| {
        names(sheet, 0, &["Unit"]);
        sheet.merge_range(0, 1, 0, 2, "Position", &Format::new()).unwrap();
        names(sheet, 1, &["1", "2", "3"]);
    });
    let twice = sheet(|sheet| names(sheet, 0, &["Lat", "Lat"]));
    let formula = sheet(|sheet| {
        names(sheet, 0, &["A", "B"]);
        sheet.write(0, 1, Formula::new("=A1").set_result(NO_VALUE)).unwrap();
    });
    for (path, expected) in [
        (
            merged,
            "line 1: the header cannot be read: cells B1:C1 are merged; unmerge them and give each column its own name, or set header_row in the source's entry if the names are in another row",
        ),
        (twice, "line 1: the header cannot be read: columns 1 and 2 are both named \"Lat\""),
        (
            without_values(&formula),
            "line 1: the header cannot be read: the formula in cell B1 has no stored value; open the workbook in a spreadsheet program and save it",
        ),
        (sheet(|_| ()), "is empty; expected a row with column names"),
    ] {
        assert_eq!(refusal(&path, &Dialect::default()), expected);
    }
}

#[test]
fn merged_title_above_the_header_is_recognized() {
    let path = sheet(|sheet| {
        sheet.merge_range(0, 0, 0, 3, "Inventory", &Format::new()).unwrap();
        names(sheet, 2, &["Unit #", "Lat", "Long"]);
        names(sheet, 3, &["A-1", "40.7", "-73.9"]);
    });
    let mut reader = RowReader::open(&path, &Dialect::default(), &|_, _, _| ()).unwrap();
    let error = Matching::of(&mut reader, &SCHEMA).unwrap().into_map().unwrap_err().to_string();
    assert!(error.ends_with("or set header_row = 3 in the source's entry"), "{error}");
    let dialect = Dialect { header_row: NonZeroU64::new(3), ..Dialect::default() };
    let (columns, rows) = rows(&path, &dialect).unwrap();
    assert_eq!(columns, ["Unit #", "Lat", "Long"]);
    assert_eq!(crate::readable(&rows[0]).line, 4);
    let proposed = propose(&path, &Dialect::default(), &SCHEMA, &|_, _, _| ()).unwrap();
    assert!(proposed.contains("# Run this command with --header-row 3."), "{proposed}");
}

#[test]
fn workbook_with_several_sheets_requires_a_choice() {
    let path = workbook(|workbook| {
        for (name, unit) in [("Units", "7"), ("Notes", "8"), ("Empty", "")] {
            let sheet = workbook.add_worksheet().set_name(name).unwrap();
            if !unit.is_empty() {
                names(sheet, 0, &["Unit"]);
                names(sheet, 1, &[unit]);
            }
        }
    });
    assert_eq!(
        refusal(&path, &Dialect::default()),
        "several sheets contain data: \"Units\", \"Notes\"; choose one, as in sheet = \"Units\""
    );
    let choice = |sheet: &str| Dialect { sheet: Some(sheet.to_owned()), ..Dialect::default() };
    let (columns, rows) = rows(&path, &choice("Notes")).unwrap();
    assert_eq!(values(&rows[0], &columns), ["8"]);
    assert_eq!(
        refusal(&path, &choice("Sheet1")),
        "there is no sheet \"Sheet1\"; the sheets are \"Units\", \"Notes\", \"Empty\""
    );
    let csv = crate::file("csv", "a\n1\n");
    assert_eq!(
        refusal(&csv, &choice("Units")),
        "only an .xlsx workbook has sheets; remove sheet = \"Units\""
    );
}

#[test]
fn damaged_workbooks_and_other_spreadsheets_are_refused() {
    let whole = sheet(|sheet| {
        names(sheet, 0, &["Unit"]);
        (1..500).for_each(|row| names(sheet, row, &[&format!("unit {row}")]));
    });
    let bytes = std::fs::read(&whole).unwrap();
    let truncated = crate::file("xlsx", &bytes[..bytes.len() / 2]);
    let text = crate::file("xlsx", "Unit,Lat\n1,2\n");
    for path in [truncated, text, crate::file("xlsx", "")] {
        let reason = refusal(&path, &Dialect::default());
        assert!(reason.starts_with("cannot be read as an .xlsx workbook: "), "{reason}");
        assert!(reason.ends_with("; open it in a spreadsheet program and save it again"), "{reason}");
    }
    let other = crate::file("xls", &bytes);
    assert_eq!(
        refusal(&other, &Dialect::default()),
        "this spreadsheet format isn't supported; save the workbook as .xlsx"
    );
}

#[test]
fn delimiters_are_recognized() {
    for (extension, content) in [
        ("csv", "a|b\n1,5|2\n"),
        ("tsv", "a\tb\n1,5\t2\n"),
        ("tab", "a\tb\n1,5\t2\n"),
        ("txt", "a;b\n1,5;2\n"),
    ] {
        let (columns, rows) = rows(&crate::file(extension, content), &Dialect::default()).unwrap();
        assert_eq!(values(&rows[0], &columns), ["1,5", "2"], "{content}");
    }
}
