// The remaining credits and calls, as of the last response.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { credits, shownLimit } from '../api/limits.js';
import { pageUrl } from '../addresses.js';
import { organization } from '../api/account.js';
import { count, number } from '../ui/format.js';

/** Shows the remaining credits and calls. Until the first response in a minute, shows the full limit. */
export function Meter() {
  const [now, setNow] = useState(Date.now());
  const whole = organization.value?.limits.calls_per_minute ?? 0;
  const { limit, remaining, resetsAt } = shownLimit.value ?? { limit: whole, remaining: whole, resetsAt: 0 };
  useEffect(() => {
    setNow(Date.now());
    const until = resetsAt - Date.now();
    const timer = until > 0 ? setTimeout(() => setNow(Date.now()), until + 50) : undefined;
    return () => clearTimeout(timer);
  }, [resetsAt, remaining]);
  const left = now >= resetsAt ? limit : remaining;
  return html`
    <a class="meter" href=${pageUrl('usage')} title="Credits left, and calls left this minute">
      ${credits.value !== null && html`<span>${number(credits.value)} credits</span>`}
      ${limit > 0 && html`
        <span class=${left === 0 ? 'used-up' : ''}>${count(left, 'call')} left</span>`}
    </a>`;
}
