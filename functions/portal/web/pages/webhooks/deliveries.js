// The table of a webhook's deliveries.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { Copy } from '../../ui/copy.js';
import { Failure } from '../../ui/failure.js';
import { number, sentence, time } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Table } from '../../ui/table.js';
import { nameOfType } from './changes.js';

/** @typedef {import('./use-deliveries.js').Delivery} Delivery */
/** @typedef {import('../../ui/table.js').Column<Delivery>} Column */

/** The name of each state, with the class of its badge. */
/** @type {Record<Delivery['state'], [string, string]>} */
const STATES = {
  pending: ['Pending', 'queued'], succeeded: ['Succeeded', 'completed'], failed: ['Failed', 'failed'],
};

/** @type {Column[]} */
const DESCRIBED = [
  {
    title: 'Change',
    cell: ({ type }) => html`${nameOfType(type)}<br /><small><code>${type}</code></small>`,
  },
  { title: 'Created', cell: ({ created_at: at }) => time(at) },
  {
    title: 'State',
    cell: ({ state }) => html`<span class=${`badge ${STATES[state][1]}`}>${STATES[state][0]}</span>`,
  },
  { title: 'Attempts', cell: ({ attempts }) => number(attempts) },
  { title: 'Last attempt', cell: lastAttempt },
  { title: 'Next attempt', cell: ({ next_attempt_at: at }) => (isDue(at) ? 'Now' : time(at)) },
  {
    title: 'ID',
    cell: ({ delivery_id: id }) => html`<${Copy} text=${id} what="delivery ID" isTextHidden />`,
  },
];

/**
 * Shows the newest deliveries, and older ones on request.
 * @param {{webhook: import('../../api/types').Schema<'Webhook'>,
 *   deliveries: import('./use-deliveries.js').Listed}} props
 */
export function Deliveries({ webhook: { webhook_id: id, url, enabled: isEnabled }, deliveries }) {
  const { list, hasOlder, isLoading, error, older, reload } = deliveries;
  const [refusal, setRefusal] = useState(/** @type {Error | null} */ (null));
  const again = async (/** @type {Delivery} */ { delivery_id: delivery }) => {
    setRefusal(null);
    const path = { webhook_id: id, delivery_id: delivery };
    await call('redeliver_webhook_delivery', { path }).then(reload, setRefusal);
  };
  return html`
    <div class="reload">
      <p>From the last 30 days. Marquee attempts a delivery up to 8 times within 24 hours.</p>
      <button disabled=${isLoading} aria-label=${`Refresh deliveries to ${url}`} onClick=${reload}>
        Refresh
      </button>
    </div>
    <${Failure} error=${refusal} />
    <${Failure} error=${error} retry=${reload} />
    ${!list && !error && html`<${Loading} what="the deliveries" />`}
    ${list?.length === 0 && html`<p>No deliveries yet.</p>`}
    ${list && list.length > 0 && html`
      <${Table} isStacked isCaptionHidden caption=${`Deliveries to ${url}`} rows=${list}
        columns=${[...DESCRIBED, redelivery(again, isEnabled)]}
        keyOf=${(/** @type {Delivery} */ { delivery_id: own }) => own} />`}
    ${hasOlder && html`<p><button disabled=${isLoading} onClick=${older}>Show older</button></p>`}`;
}

/**
 * Returns the column with the buttons that request a delivery again.
 * @param {(delivery: Delivery) => void} again
 * @param {boolean} isEnabled
 * @returns {Column}
 */
function redelivery(again, isEnabled) {
  return {
    title: 'Action',
    cell: (delivery) => delivery.state !== 'pending' && isEnabled && html`
      <span class="row-actions">
        <button aria-label=${`Deliver again: ${nameOfType(delivery.type)}, ${time(delivery.created_at)}`}
          onClick=${() => again(delivery)}>Deliver again</button>
      </span>`,
  };
}

/** @param {Delivery} delivery */
function lastAttempt({ last_attempt_at: at, last_status: status, last_error: error }) {
  if (!at) return '–';
  return html`${time(at)}<br /><small>${status ? `Status ${status}` : error && sentence(error)}</small>`;
}

/** @param {string | null} at */
function isDue(at) {
  return at !== null && Date.parse(at) <= Date.now();
}
