// The first call of a program: a line to paste, and what the service saw of it.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { Copy } from '../../ui/copy.js';
import { Failure } from '../../ui/failure.js';
import { date, number } from '../../ui/format.js';
import { Table } from '../../ui/table.js';
import { Step } from './step.js';
import { useCalls } from './use-calls.js';

/** Free, needs no body, and its answer can be read: what the line asks for. */
const PATH = '/v2/markets?q=seattle';

/**
 * Waits for the first call, and shows it.
 * @param {{apiKey: string | null}} props null where the key is not known here any more
 */
export function FirstCall({ apiKey }) {
  const { rows, error, isOver, again } = useCalls();
  const hasCalled = rows !== null && rows.length > 0;
  const line = `curl -s -H "X-API-Key: ${apiKey ?? 'YOUR KEY'}" "${location.origin}${PATH}"`;
  return html`
    <${Step} title="A first call" isDone=${hasCalled} isNow=${!hasCalled}>
      <p>Paste this line into a terminal${apiKey ? '' : ', with your key in it'}. It finds the markets called
        Seattle, and is free.</p>
      <div class="line"><${Copy} text=${line} what="the line" /></div>
      <div aria-live="polite">
        <${Failure} error=${error} retry=${again} />
        ${!error && !hasCalled && html`<${Waiting} isOver=${isOver} again=${again} />`}
        ${hasCalled && html`<${Arrived} rows=${rows} />`}
      </div>
    <//>`;
}

/** @param {{isOver: boolean, again: () => void}} props */
function Waiting({ isOver, again }) {
  if (!isOver) return html`<p class="waiting">Waiting for the call. It appears here by itself.</p>`;
  return html`<p>No call has come yet.</p><button onClick=${again}>Wait for it again</button>`;
}

/** @param {{rows: import('./use-calls.js').UsageRow[]}} props */
function Arrived({ rows }) {
  /** @type {import('../../ui/table.js').Column<import('./use-calls.js').UsageRow>[]} */
  const columns = [
    { title: 'Day (UTC)', cell: ({ day }) => date(day) },
    { title: 'Product', cell: ({ billing_name: name }) => html`<code>${name}</code>` },
    { title: 'Calls', isNumber: true, cell: ({ calls }) => number(calls) },
    { title: 'Credits', isNumber: true, cell: ({ credits }) => number(credits) },
  ];
  const made = rows.reduce((sum, { calls }) => sum + calls, 0);
  return html`
    <h3>${made === 1 ? 'Your first call arrived' : 'Your calls of the last 30 days'}</h3>
    <${Table} caption="Calls of the last 30 days" isCaptionHidden columns=${columns} rows=${rows}
      keyOf=${(/** @type {import('./use-calls.js').UsageRow} */ row) => `${row.day} ${row.billing_name}`} />
    <div class="actions next">
      <a class="button" href=${pageUrl('docs/reference')}>Read the reference</a>
      <a class="button" href=${pageUrl('team')}>Invite a colleague</a>
      <a class="button primary" href=${pageUrl('planner')}>Open the planner</a>
    </div>`;
}
