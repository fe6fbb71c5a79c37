// The menu with the exports of a campaign or a plan.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Disclosure } from '../ui/disclosure.js';
import { Failure } from '../ui/failure.js';
import { allCohorts } from './cohorts.js';
import { FORMATS, sheetsOf } from './export.js';
import { nameMarkets } from './markets.js';
import { printAs } from './print.js';
import { lookUp } from './sites.js';

/** @typedef {import('./export.js').Exported} Exported */

/** @type {typeof FORMATS} */
const ACTIONS = [...FORMATS, ['Print or PDF', () => print()]];

/**
 * Shows the menu. Before each export, loads missing names with free calls.
 * @param {{plan: () => Exported}} props
 */
export function ExportMenu({ plan }) {
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [isBusy, setIsBusy] = useState(false);
  const latest = useRef(plan);
  latest.current = plan;
  useEffect(() => printAs(() => printable(latest.current())), []);
  const start = async (/** @type {(plan: Exported) => void} */ write) => {
    setIsBusy(true);
    setError(null);
    await loadNames(plan().draft).then(() => write(latest.current()), setError);
    setIsBusy(false);
  };
  return html`
    <${Disclosure} class="export" summary="Export">
      ${ACTIONS.map(([name, write]) => html`
        <button type="button" class="quiet" disabled=${isBusy}
          onClick=${() => start(write)}>${name}</button>`)}
      <${Failure} error=${error} />
    <//>`;
}

/**
 * @param {Exported} plan
 * @returns {import('./print.js').Printable | null}
 */
function printable(plan) {
  const { title, draft: { flight, spots } } = plan;
  return spots.length > 0 ? { title, flight, sheets: sheetsOf(plan) } : null;
}

/** @param {import('./campaign-form.js').CampaignDraft} draft */
async function loadNames({ spots, cohort }) {
  await Promise.all([
    lookUp('displays', spots.map(({ display_id: id }) => id)),
    cohort.service_segment_ids.length > 0 && allCohorts(),
    nameMarkets(cohort.geography_ids),
  ]);
}
