// A program's first call: a command to paste, and a confirmation once the call arrives.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { Copy } from '../../ui/copy.js';
import { Failure } from '../../ui/failure.js';
import { date, number } from '../../ui/format.js';
import { Table } from '../../ui/table.js';
import { Step } from './step.js';
import { useCalls } from './use-calls.js';

/** The path of the first call. The call is free, doesn't need a body, and returns a readable response. */
const PATH = '/v2/markets?q=seattle';

/**
 * Waits for the first call, and shows the usage once the call has arrived.
 * @param {{apiKey: string | null}} props null if the key is no longer known
 */
export function FirstCall({ apiKey }) {
  const { rows, error, isOver, again } = useCalls();
  const hasCalled = rows !== null && rows.length > 0;
  const line = `curl -s -H "X-API-Key: ${apiKey ?? 'YOUR_KEY'}" "${location.origin}${PATH}"`;
  return html`
    <${Step} title="Make a call" isDone=${hasCalled} isNow=${!hasCalled}>
      <p>Run this command in a terminal${apiKey ? '' : ' with your key'}. It finds markets named Seattle and
        is free.</p>
      <div class="line"><${Copy} text=${line} what="the command" /></div>
      <div aria-live="polite">
        <${Failure} error=${error} retry=${again} />
        ${!error && !hasCalled && html`<${Waiting} isOver=${isOver} again=${again} />`}
        ${hasCalled && html`<${Arrived} rows=${rows} />`}
      </div>
    <//>`;
}

/** @param {{isOver: boolean, again: () => void}} props */
function Waiting({ isOver, again }) {
  if (!isOver) return html`<p class="waiting">Waiting for your call. It appears here automatically.</p>`;
  return html`<p>No call yet.</p><button onClick=${again}>Check again</button>`;
}

/** @param {{rows: import('./use-calls.js').UsageRow[]}} props */
function Arrived({ rows }) {
  /** @type {import('../../ui/table.js').Column<import('./use-calls.js').UsageRow>[]} */
  const columns = [
    { title: 'Day (UTC)', cell: ({ day }) => date(day) },
    { title: 'Product', cell: ({ meter: name }) => html`<code>${name}</code>` },
    { title: 'Calls', isNumber: true, cell: ({ calls }) => number(calls) },
    { title: 'Credits', isNumber: true, cell: ({ credits }) => number(credits) },
  ];
  const made = rows.reduce((sum, { calls }) => sum + calls, 0);
  return html`
    <h3>${made === 1 ? 'We received your first call' : 'Your calls in the last 30 days'}</h3>
    <${Table} caption="Calls in the last 30 days" isCaptionHidden columns=${columns} rows=${rows}
      keyOf=${(/** @type {import('./use-calls.js').UsageRow} */ row) => `${row.day} ${row.meter}`} />
    <div class="actions next">
      <a class="button" href=${pageUrl('docs/reference')}>Read the reference</a>
      <a class="button" href=${pageUrl('team')}>Invite a colleague</a>
      <a class="button primary" href=${pageUrl('planner')}>Open the planner</a>
    </div>`;
}
