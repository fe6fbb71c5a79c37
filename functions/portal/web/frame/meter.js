// What is left: credits, and the calls of this minute, as the last answer said.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { credits, minute } from '../api/limits.js';
import { pageUrl } from '../addresses.js';
import { organization } from '../api/account.js';
import { number } from '../ui/format.js';

/** Shows both; a minute that is over counts as unused, and so does one that no answer has told of yet. */
export function Meter() {
  const [now, setNow] = useState(Date.now());
  const whole = organization.value?.limits.calls_per_minute ?? 0;
  const { limit, remaining, resetsAt } = minute.value ?? { limit: whole, remaining: whole, resetsAt: 0 };
  useEffect(() => {
    setNow(Date.now());
    const until = resetsAt - Date.now();
    const timer = until > 0 ? setTimeout(() => setNow(Date.now()), until + 50) : undefined;
    return () => clearTimeout(timer);
  }, [resetsAt, remaining]);
  const left = now >= resetsAt ? limit : remaining;
  return html`
    <a class="meter" href=${pageUrl('usage')} title="Credits left, and calls left of this minute">
      ${credits.value !== null && html`<span>${number(credits.value)} credits</span>`}
      ${limit > 0 && html`
        <span class=${left === 0 ? 'used-up' : ''}>${callsOf(left, limit)}</span>`}
    </a>`;
}

/**
 * Says the limit alone while all of it is left, which is most of the time.
 * @param {number} left
 * @param {number} limit
 */
function callsOf(left, limit) {
  return left === limit ? `${number(limit)} calls` : `${number(left)}/${number(limit)} calls`;
}
