// The overview page: latest assets, credits, usage, and next steps.

import { html } from 'htm/preact';
import { useCall } from '../../api/use-call.js';
import { GrantBars } from '../../credits/grant-bars.js';
import { Minute } from '../../credits/minute.js';
import { UsageChart } from '../../credits/usage-chart.js';
import { useCredits, usedThisMonth } from '../../credits/use-credits.js';
import { lossSentences, paceSentence, runsOutWord } from '../../credits/words.js';
import { pageUrl } from '../../addresses.js';
import { managesKeys, organization } from '../../api/account.js';
import { Failure, MoreCredits } from '../../ui/failure.js';
import { number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { NewestAssets } from './newest-assets.js';
import { NextSteps } from './next-steps.js';

/** Shows the organization's latest assets, credits, usage, and next steps. */
export default function Overview() {
  const { read, error, retry } = useCredits();
  // Only owners can list and create keys, so other members aren't prompted to create one.
  const { body, isLoading } = useCall('list_keys', managesKeys.value ? {} : null);
  const hasKey = body?.data.some(({ state }) => state === 'live') ?? true;
  const shown = isLoading ? null : read;
  return html`
    <h1>${organization.value?.name ?? organization.value?.org_id ?? 'Overview'}</h1>
    <${Failure} error=${error} retry=${retry} />
    ${!shown && !error && html`<${Loading} what="your credits" lines=${8} />`}
    <section class="card newest" aria-labelledby="newest">
      <h2 id="newest">Latest campaigns and events</h2>
      <${NewestAssets} />
    </section>
    ${shown && html`<${Read} read=${shown} hasKey=${hasKey} />`}`;
}

/** @param {{read: import('../../credits/use-credits.js').CreditsRead, hasKey: boolean}} props */
function Read({ read, hasKey }) {
  const { rows, grants, today, pace, projection } = read;
  return html`
    <dl class="key-numbers">
      <div class="card"><dt>Credits left</dt><dd>${number(projection.points[0]?.value)}</dd></div>
      <div class="card"><dt>Used this month</dt><dd>${number(usedThisMonth(read))}</dd></div>
      <div class="card"><dt>Runs out</dt><dd>${runsOutWord(projection)}</dd>
        <dd class="note">${paceSentence(pace)}</dd></div>
    </dl>
    <div class="overview">
      <${NextSteps} rows=${rows} hasKey=${hasKey} />
      <section class="card chart-place" aria-labelledby="used">
        <h2 id="used">Usage</h2>
        <${UsageChart} rows=${rows} today=${today} />
        <${Minute} />
        <p><a href=${pageUrl('usage')}>View usage and bills</a></p>
      </section>
      <div class="aside">
        <section class="card" aria-labelledby="grants">
          <h2 id="grants">Grants</h2>
          <${GrantBars} grants=${grants} />
          ${lossSentences(projection).map((loss) => html`<p class="warning">${loss}</p>`)}
          ${projection.points[0]?.value === 0 && html`<${MoreCredits} />`}
        </section>
      </div>
    </div>`;
}
