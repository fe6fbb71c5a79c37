// The page that a client link opens: a campaign's map, displays, flight, and results, without sign-in.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { useCall } from '../../api/use-call.js';
import { ApiError } from '../../api/errors.js';
import { Empty } from '../../ui/empty.js';
import { Failure } from '../../ui/failure.js';
import { count, date } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Modelled } from '../../ui/modelled.js';
import { Table } from '../../ui/table.js';
import { useTitle } from '../../ui/use-title.js';
import { SitesMap } from '../../map/sites-map.js';
import { printAs } from '../../scenario/print.js';
import { aboutResults, addressOf, nameOf, printableOf, rateOf, resultsOf, sizeOf } from './printable.js';

/** @typedef {import('../../api/types').Answer<'read_client_campaign'>} Body */
/** @typedef {import('./printable.js').ClientDisplay & {id: string}} Row the ID is the row's number */

/** Shows the campaign of the link whose token is in the address. */
export default function Shared() {
  const [token, setToken] = useState(tokenInAddress);
  useEffect(() => {
    const listen = () => setToken(tokenInAddress());
    addEventListener('hashchange', listen);
    return () => removeEventListener('hashchange', listen);
  }, []);
  const read = useCall('read_client_campaign', { headers: { 'X-Client-Link': token } });
  useTitle(read.body ? read.body.data.name ?? 'Campaign' : null);
  if (read.error instanceof ApiError && read.error.status === 404) {
    return html`
      <h1 class="hidden">Link not found</h1>
      <${Empty} title="This link is invalid or no longer works">
        <p>Ask the person who sent it for a new one.</p>
      <//>`;
  }
  if (read.error) return html`<h1>Campaign</h1><${Failure} error=${read.error} retry=${read.retry} />`;
  if (!read.body) return html`<h1 class="hidden">Campaign</h1><${Loading} what="the campaign" lines=${8} />`;
  return html`<${Campaign} body=${read.body} />`;
}

/** @param {{body: Body}} props */
function Campaign({ body }) {
  const { data, meta } = body;
  const [selected, setSelected] = useState(/** @type {string | null} */ (null));
  useEffect(() => printAs(() => printableOf(body)), [body]);
  const rows = data.displays.map((display, n) => ({ ...display, id: String(n + 1) }));
  const sites = rows.map((row) => ({ id: row.id, name: nameOf(row), about: '', ...row.location }));
  return html`
    <article class="asset shared">
      <div class="head">
        <h1>${data.name ?? 'Campaign'}</h1>
        <button onClick=${() => print()}>Print or PDF</button>
      </div>
      <p>${date(data.flight.start_date)} – ${date(data.flight.end_date)}</p>
      <${Results} report=${data.report} />
      <section class="sites" aria-labelledby="sites">
        <h2 id="sites">${count(rows.length + data.unknown_displays, 'display')}</h2>
        <${Modelled} provenance=${meta.provenance} what="some details" />
        ${data.unknown_displays > 0 && html`
          <p class="warning">${count(data.unknown_displays, 'display')} can’t be shown.</p>`}
        ${rows.length > 0 && html`
          <div class="map-and-table">
            <div class="on-map">
              <${SitesMap} kind="displays" items=${sites} selected=${selected} onSelect=${setSelected} />
            </div>
            <${Table} caption="Displays" isCaptionHidden columns=${columnsOf(rows, setSelected)} rows=${rows}
              keyOf=${(/** @type {Row} */ { id }) => id} />
          </div>`}
      </section>
      <p class="soft">This link works until ${date(data.expires_at)}.</p>
    </article>`;
}

/** @param {{report: Body['data']['report']}} props */
function Results({ report }) {
  return html`
    <section class="card" aria-labelledby="results">
      <h2 id="results">Results</h2>
      ${report ? html`
        <p class="warning">${aboutResults(report)}</p>
        <dl class="totals">
          ${resultsOf(report).map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
        </dl>` : html`
        <p class="soft">No results yet. If the sender orders a measurement report, its results appear here.</p>`}
    </section>`;
}

/**
 * @param {Row[]} rows
 * @param {(id: string) => void} onSelect
 * @returns {import('../../ui/table.js').Column<Row>[]}
 */
function columnsOf(rows, onSelect) {
  return [
    {
      title: 'Display',
      cell: (row) => html`<button class="quiet" onClick=${() => onSelect(row.id)}>${nameOf(row)}</button>`,
    },
    { title: 'Address', cell: addressOf },
    { title: 'Size', cell: sizeOf },
    ...(rows.some(({ rate }) => rate) ? [{ title: 'Rate', isNumber: true, cell: rateOf }] : []),
  ];
}

function tokenInAddress() {
  return location.hash.slice(1);
}
