// What to do next when something is missing: as far as free calls can tell.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';

/**
 * Names the next steps; nothing where none is missing.
 * @param {{rows: import('../../credits/pace.js').UsageRow[], hasKey: boolean}} props
 */
export function NextSteps({ rows, hasKey }) {
  const hasCalls = rows.some(({ calls }) => calls > 0);
  const hasScenarios = rows.some(({ billing_name: name }) => name.startsWith('scenario_'));
  const steps = [
    !hasKey && html`<a href=${pageUrl('keys')}>Mint a key</a> for your first program: you have none yet.`,
    hasKey && !hasCalls && html`
      <a href=${pageUrl('start')}>Make your first call</a>: nothing was called in the last 90 days.`,
    !hasScenarios && html`
      <a href=${pageUrl('planner')}>Plan a campaign</a>: none was made or read in the last 90 days.`,
  ].filter(Boolean);
  if (steps.length === 0) return null;
  return html`
    <section class="card next-steps" aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      <ul>${steps.map((step) => html`<li>${step}</li>`)}</ul>
    </section>`;
}
