// The estimate of a campaign, with the button that requests it.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import { costOf } from '../api/limits.js';
import { busyLabel } from '../api/waiting.js';
import { Failure } from '../ui/failure.js';
import { sentence } from '../ui/format.js';
import { estimateFaults, useEstimate } from './estimate.js';
import { EstimateFigures } from './estimate-figures.js';

/**
 * Shows the last estimate of a campaign, and a button that requests a new one. If the campaign has changed
 * since the estimate, points that out.
 * @param {{owner: string, draft: import('./campaign-form.js').CampaignDraft, nameOf: (id: string) => string}}
 *   props `owner` is the ID of the campaign, or another key for a plan that isn't saved; `nameOf` returns the
 *   name of a display
 */
export function EstimateSection({ owner, draft, nameOf }) {
  const { estimate, isStale, isBusy, error, run } = useEstimate(owner, draft);
  const [isTried, setIsTried] = useState(false);
  const faults = isTried ? estimateFaults(draft) : [];
  const start = () => {
    setIsTried(true);
    if (estimateFaults(draft).length === 0) run();
  };
  return html`
    ${isStale && html`<p class="warning" role="status">The plan has changed since this estimate.</p>`}
    ${estimate && html`<${EstimateFigures} estimate=${estimate} nameOf=${nameOf} />`}
    ${!estimate && html`<p class="soft">See how many people the plan is likely to reach, and how often.</p>`}
    ${faults.length > 0 && html`
      <div class="failure" role="alert">
        <p>Before the plan can be estimated:</p>
        <ul>${faults.map(({ detail }) => html`<li>${sentence(detail)}</li>`)}</ul>
      </div>`}
    ${isWithoutImpressions(error)
      ? html`<p class="warning" role="alert">None of the displays has impressions, so there is nothing to
          estimate.</p>`
      : html`<${Failure} error=${error} retry=${start} />`}
    ${(!estimate || isStale) && html`
      <button type="button" disabled=${isBusy} onClick=${start}>
        ${isBusy ? busyLabel('Estimating…') : `Estimate · ${costOf('estimate_campaign')}`}
      </button>`}`;
}

/** @param {Error | null} error */
function isWithoutImpressions(error) {
  return error instanceof ApiError && error.violations.some(({ pointer }) => pointer === '/spots');
}
