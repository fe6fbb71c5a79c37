// CSV (RFC 4180) for spreadsheets.

/**
 * Formats rows as CSV. The first row contains the titles.
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
