// The next steps for a new organization, derived from the responses to free calls.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';

/**
 * Shows the steps that the organization hasn't taken yet. Shows nothing if it has taken all of them.
 * @param {{rows: import('../../credits/pace.js').UsageRow[], hasKey: boolean}} props
 */
export function NextSteps({ rows, hasKey }) {
  const hasCalls = rows.some(({ calls }) => calls > 0);
  const hasScenarios = rows.some(({ meter: name }) => name.startsWith('scenario_'));
  const steps = [
    !hasScenarios && html`<a href=${pageUrl('planner')}>Plan your first campaign</a> in the planner.`,
    !hasKey && html`
      To call Marquee from a program, <a href=${pageUrl('keys')}>create a key</a>.`,
    hasKey && !hasCalls && html`
      <a href=${pageUrl('start')}>Make your first call</a>. You haven’t made any in the last 90 days.`,
  ].filter(Boolean);
  if (steps.length === 0) return null;
  return html`
    <section class="card next-steps" aria-labelledby="next">
      <h2 id="next">Next steps</h2>
      <ul>${steps.map((step) => html`<li>${step}</li>`)}</ul>
    </section>`;
}
