// The usage page: credits left, projection, usage by product, and bills.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { Line } from '../../charts/line.js';
import { GrantBars } from '../../credits/grant-bars.js';
import { Minute } from '../../credits/minute.js';
import { historyOf } from '../../credits/pace.js';
import { UsageChart } from '../../credits/usage-chart.js';
import { useCredits } from '../../credits/use-credits.js';
import { lossSentences, paceSentence, runsOutWord } from '../../credits/words.js';
import { dayAfter, daysUpTo } from '../../ui/days.js';
import { download } from '../../ui/download.js';
import { Failure, MoreCredits } from '../../ui/failure.js';
import { number } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Bills } from './bills.js';
import { EndedGrants } from './ended-grants.js';

/** The number of past days in the chart. If no credits are being used, also the number of future days. */
const PAST = 30;

/** Shows the organization's usage. */
export default function Usage() {
  const { read, error, retry } = useCredits();
  return html`
    <h1>Usage</h1>
    <${Failure} error=${error} retry=${retry} />
    ${!read && !error && html`<${Loading} what="your usage" lines=${8} />`}
    ${read && html`<${Read} ...${read} />`}`;
}

/** @param {import('../../credits/use-credits.js').CreditsRead} read */
function Read(read) {
  const { today, rows, grants } = read;
  const [days, setDays] = useState(30);
  return html`
    <div class="usage">
      <section class="card" aria-labelledby="left"><${Left} ...${read} /></section>
      <section class="card" aria-labelledby="down"><${BurnDown} ...${read} /></section>
      <section class="card wide" aria-labelledby="used">
        <h2 id="used">Usage by product</h2>
        <${UsageChart} rows=${rows} today=${today} onDays=${setDays}>
          <${UsageFile} from=${dayAfter(today, 1 - days)} to=${today} />
        <//>
        <${Minute} />
      </section>
      <section class="card wide" aria-labelledby="bills"><h2 id="bills">Bills</h2><${Bills} /></section>
      <${EndedGrants} grants=${grants} />
    </div>`;
}

/** @param {import('../../credits/use-credits.js').CreditsRead} read */
function Left({ grants, projection }) {
  return html`
    <h2 id="left">Credits left</h2>
    <p class="large">${number(projection.points[0]?.value)}</p>
    <${GrantBars} grants=${grants} />
    <h3>More credits</h3>
    <${MoreCredits} />`;
}

/** @param {import('../../credits/use-credits.js').CreditsRead} read */
function BurnDown({ grants, rows, today, pace, projection }) {
  const past = historyOf(grants, rows, daysUpTo(today, PAST)).slice(0, -1);
  const ahead = pace.perDay === 0 ? projection.points.slice(0, PAST) : projection.points;
  return html`
    <h2 id="down">Runs out</h2>
    <p class="large">${runsOutWord(projection)}</p>
    <p>${paceSentence(pace)}
      ${projection.byExpiry && projection.runsOut && ' The last credits expire unused.'}</p>
    ${lossSentences(projection).map((loss) => html`<p class="warning">${loss}</p>`)}
    <${Line} title="Credits left by day" unit="credits" points=${[...past, ...ahead]} today=${today} />`;
}

/** @param {{from: string, to: string}} props */
function UsageFile({ from, to }) {
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const save = async () => {
    try {
      const { body } = await call('read_usage', { query: { from, to }, accept: 'text/csv' });
      download(`usage-${from}-${to}.csv`, 'text/csv', String(body));
      setError(null);
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
  };
  return html`
    <button onClick=${save}>Download CSV · free</button>
    <${Failure} error=${error} retry=${save} />`;
}
