// Tables as comma-separated values (RFC 4180), for spreadsheets.

/**
 * Writes rows, the first of which has the titles.
 * @param {(string | number)[][]} rows
 */
export function csv(rows) {
  return rows.map((row) => row.map(cell).join(',') + '\r\n').join('');
}

/** @param {string | number} value */
function cell(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
