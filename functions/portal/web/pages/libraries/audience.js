// The audience of an asset, with the names of its cohorts and markets.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { allCohorts, cohortName } from '../../scenario/cohorts.js';
import { marketName, nameFirstMarket, nameMarkets, unreadTypes } from '../../scenario/markets.js';
import { Failure } from '../../ui/failure.js';
import { count } from '../../ui/format.js';

/**
 * Shows the names of an asset's cohorts and markets. Unless the names are cached, two free calls load the
 * cohorts and one type of market. Other types are loaded only by a click, so that the number of calls is
 * predictable.
 * @param {{cohort: any, notes: import('../../scenario/violations.js').Notes}} props
 */
export function Audience({ cohort, notes }) {
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const { geography_ids: markets, service_segment_ids: several, service_segment_id: one } = cohort;
  const base = cohort.service_base_segment_id;
  const [measured, ...kept] = several ?? [one];
  const [isRead, setIsRead] = useState(false);
  const load = () => {
    setError(null);
    Promise.all([allCohorts(), nameFirstMarket(markets)]).then(() => setIsRead(true), setError);
  };
  const unread = isRead ? unreadTypes(markets).length : 0;
  const nameAll = () => {
    setError(null);
    nameMarkets(markets).then(() => setIsRead(true), setError);
  };
  useEffect(load, [cohort]);
  const warning = (/** @type {string} */ member) => {
    const text = notes.warningAt(`/cohort/${member}`);
    return text && html`<p class="warning">${text}</p>`;
  };
  return html`
    <h2>Audience</h2>
    <dl class="facts">
      <dt>Measured</dt><dd>${cohortName(measured)}</dd>
      ${kept.length > 0 && html`<dt>For reference</dt><dd>${kept.map(cohortName).join(', ')}</dd>`}
      ${base && html`<dt>Baseline</dt><dd>${cohortName(base)}</dd>`}
      <dt>${markets.length === 1 ? 'Market' : 'Markets'}</dt>
      <dd>${markets.map(marketName).join(' · ')}
        ${unread > 0 && html`
          ${' '}<button type="button" class="quiet"
            onClick=${nameAll}>Load other names · ${count(unread, 'call')}, free</button>`}
      </dd>
    </dl>
    ${warning('service_segment_ids')}${warning('service_segment_id')}${warning('service_base_segment_id')}
    ${warning('geography_ids')}
    <${Failure} error=${error} retry=${load} />`;
}
