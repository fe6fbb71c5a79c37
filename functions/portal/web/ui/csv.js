// CSV (RFC 4180) for spreadsheets.

/**
 * Formats rows as CSV. The first row contains the titles.
 * @param {(string | number)[][]} rows
 */
export function csv(rows) {
  return rows.map((row) => row.map(cell).join(',') + '\r\n').join('');
}

/** The maximum length of the source in each row, in bytes, as in the API's CSV. */
const MOST_SOURCE = 160;

/**
 * Returns the columns that label each row with the provenance of a response, as in the API's CSV.
 * @param {import('../api/types').Schema<'Meta'>} meta
 */
export function provenanceColumns({ provenance }) {
  const { data_maturity: maturity, data_vintage = '', source } = provenance;
  return { maturity, data_vintage, source: shortened(source) };
}

/** @param {string} source */
function shortened(source) {
  const bytes = new TextEncoder().encode(source);
  if (bytes.length <= MOST_SOURCE) return source;
  const start = new TextDecoder().decode(bytes.slice(0, MOST_SOURCE), { stream: true });
  const end = start.lastIndexOf('; ');
  return `${end < 0 ? start : start.slice(0, end)}; …`;
}

/** @param {string | number} value */
function cell(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
