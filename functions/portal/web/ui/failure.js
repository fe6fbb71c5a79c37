// What went wrong, in the service's own words, and the way out of it.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../api/errors.js';
import { pageUrl } from '../addresses.js';
import { configuration } from '../configuration.js';
import { count, sentence } from './format.js';
import { OtherWindow } from './other-window.js';

/** What inventory search calls otherwise than the headings of the errors' page. */
const EXPLAINED_AS = new Map([
  ['RATE_LIMIT_EXCEEDED', 'RATE_LIMITED'], ['invalid_request', 'VALIDATION_ERROR'],
]);

/**
 * Shows an error of a call: with a wait for 429, the way to more credits for 402, and a button to try again.
 * @param {{error: Error | null, retry?: () => void}} props
 */
export function Failure({ error, retry }) {
  if (!error) return null;
  const refusal = error instanceof ApiError ? error : null;
  return html`
    <div class="failure" role="alert">
      <p>${sentence(error.message)}</p>
      ${refusal?.status === 402 && html`<${MoreCredits} />`}
      ${refusal?.status === 429
        ? html`<${Wait} seconds=${refusal.retryAfter ?? 60} retry=${retry} />`
        : retry && html`<button onClick=${retry}>Try again</button>`}
      ${refusal && html`<${Reference} code=${refusal.code} requestId=${refusal.requestId} />`}
    </div>`;
}

/** Says where more credits are to be had. */
export function MoreCredits() {
  const { support_url: url } = configuration;
  const isThere = location.pathname === pageUrl('usage');
  const usage = !isThere && html`<${OtherWindow} href=${pageUrl('usage')}>See your usage<//>`;
  if (!url) return html`<p>Ask your operator for more credits. ${usage}</p>`;
  return html`<p><${OtherWindow} href=${url}>Get more credits<//> ${usage}</p>`;
}

/** @param {{seconds: number, retry?: () => void}} props */
function Wait({ seconds, retry }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => setLeft(seconds), [seconds]);
  useEffect(() => {
    const timer = left > 0 ? setTimeout(() => setLeft(left - 1), 1000) : undefined;
    return () => clearTimeout(timer);
  }, [left]);
  if (left > 0) return html`<p>You can go on in ${count(left, 'second')}.</p>`;
  return retry ? html`<button onClick=${retry}>Try again</button>` : html`<p>You can go on now.</p>`;
}

/**
 * Leads from an error's code to what the documents say about it.
 * @param {{code: string, requestId?: string | null}} props
 */
export function Reference({ code, requestId = null }) {
  return html`
    <p class="reference">
      <${OtherWindow} href=${pageUrl(`docs/errors#${headingOf(code)}`)}>${code}<//>
      ${requestId && html` · request <code>${requestId}</code>`}
    </p>`;
}

/**
 * Returns the id of the heading that explains a code in the errors' page.
 * @param {string} code as an answer has it
 */
export function headingOf(code) {
  return (EXPLAINED_AS.get(code) ?? code).toLowerCase().replaceAll('_', '-');
}
