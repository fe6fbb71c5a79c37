// Excel workbooks (ECMA-376) with plain sheets: notes, a bold title row, and data rows.

import { zip } from './zip.js';

/** @typedef {string | number} Cell */

/**
 * A table with notes above it, such as the source of the figures.
 * @typedef {object} Sheet
 * @property {string} name at most 31 characters
 * @property {string[]} notes
 * @property {string[]} titles
 * @property {Cell[][]} rows empty strings are empty cells
 */

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PART = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** The minimum and the maximum width of a column, in characters. */
const WIDTHS = [8, 60];
/** The position of the title style in `STYLES`. */
const BOLD = 1;

const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>`
  + '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
  + '<fills count="2"><fill><patternFill patternType="none"/></fill>'
  + '<fill><patternFill patternType="gray125"/></fill></fills>'
  + '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
  + '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
  + '<cellXfs count="2"><xf/><xf fontId="1" applyFont="1"/></cellXfs>'
  + '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

/**
 * Returns a workbook.
 * @param {Sheet[]} sheets
 * @returns {Blob}
 */
export function xlsx(sheets) {
  const each = (/** @type {(n: number, sheet: Sheet) => string} */ write) =>
    sheets.map((sheet, n) => write(n + 1, sheet)).join('');
  const override = (/** @type {string} */ part, /** @type {string} */ type) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${PART}.${type}+xml"/>`;
  const relation = (/** @type {string} */ id, /** @type {string} */ type, /** @type {string} */ target) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}.xml"/>`;
  const relations = (/** @type {string} */ of) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${of}</Relationships>`;
  /** @type {[string, string][]} */
  const parts = [
    ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types">`
      + `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${
        override('workbook', 'sheet.main')}${override('styles', 'styles')}${
        each((n) => override(`worksheets/sheet${n}`, 'worksheet'))}</Types>`],
    ['_rels/.rels', relations(relation('r1', 'officeDocument', 'xl/workbook'))],
    ['xl/_rels/workbook.xml.rels', relations(
      relation('r0', 'styles', 'styles')
        + each((n) => relation(`r${n}`, 'worksheet', `worksheets/sheet${n}`)))],
    ['xl/styles.xml', STYLES],
    ['xl/workbook.xml', `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${
      each((n, { name }) => `<sheet name="${escaped(name)}" sheetId="${n}" r:id="r${n}"/>`)
    }</sheets></workbook>`],
    ...sheets.map((sheet, n) => /** @type {[string, string]} */ (
      [`xl/worksheets/sheet${n + 1}.xml`, worksheet(sheet)])),
  ];
  return new Blob([zip(parts.map(([name, text]) => [name, HEAD + text]))], { type: XLSX });
}

/** @param {Sheet} sheet */
function worksheet({ notes, titles, rows }) {
  const widths = titles.map((title, n) => {
    const longest = Math.max(title.length, ...rows.map((row) => String(row[n]).length));
    return Math.min(Math.max(longest + 2, WIDTHS[0]), WIDTHS[1]);
  });
  const columns = widths.map((width, n) =>
    `<col min="${n + 1}" max="${n + 1}" width="${width}" customWidth="1"/>`);
  const above = [...notes, ''].map((note) => [note]);
  const body = [...above, titles, ...rows].map((row, n) => {
    const style = n === above.length ? ` s="${BOLD}"` : '';
    const cells = row.map((value, at) => cell(value, `${letters(at)}${n + 1}`, style));
    return `<row r="${n + 1}">${cells.join('')}</row>`;
  });
  return `<worksheet xmlns="${MAIN}"><cols>${columns.join('')}</cols>`
    + `<sheetData>${body.join('')}</sheetData></worksheet>`;
}

/**
 * @param {Cell} value
 * @param {string} at such as `A1`
 * @param {string} style
 */
function cell(value, at, style) {
  if (value === '') return '';
  if (typeof value === 'number') return `<c r="${at}"${style}><v>${value}</v></c>`;
  return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
}

/**
 * @param {number} column counted from 0
 * @returns {string}
 */
function letters(column) {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

/** @param {string} text */
function escaped(text) {
  // XML doesn't allow most control characters, even if they're escaped.
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
