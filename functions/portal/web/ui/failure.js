// Shows errors and what to do next. The API's own text is under "Details".

import { html } from 'htm/preact';
import { tableCode } from '../api/error-copy.js';
import { ApiError } from '../api/errors.js';
import { pageUrl } from '../addresses.js';
import { configuration } from '../configuration.js';
import { sentence } from './format.js';
import { OtherWindow } from './other-window.js';

/**
 * Shows the error of a call with a retry button. For a 402 error, also shows how to get more credits.
 * @param {{error: Error | null, retry?: () => void}} props
 */
export function Failure({ error, retry }) {
  if (!error) return null;
  const refusal = error instanceof ApiError ? error : null;
  return html`
    <div class="failure" role="alert">
      <p>${sentence(error.message)}</p>
      ${refusal?.status === 402 && html`<${MoreCredits} />`}
      ${retry && html`<button onClick=${retry}>Try again</button>`}
      ${refusal && html`<${Details} ...${refusal} />`}
    </div>`;
}

/**
 * Links to the page where people can get more credits. Without such a page, suggests asking the
 * administrator.
 */
export function MoreCredits() {
  const { support_url: url } = configuration;
  const isThere = location.pathname === pageUrl('usage');
  const usage = !isThere && html`<${OtherWindow} href=${pageUrl('usage')}>View usage<//>`;
  if (!url) return html`<p>Ask your administrator for more credits. ${usage}</p>`;
  return html`<p><${OtherWindow} href=${url}>Get more credits<//> ${usage}</p>`;
}

/**
 * Shows the API's own text, the violations, and the error code with a link to the documentation.
 * @param {{code: string, detail?: string, requestId?: string | null,
 *   violations?: import('../api/errors.js').Violation[]}} props
 */
export function Details({ code, detail, requestId = null, violations = [] }) {
  return html`
    <details class="reference">
      <summary>Details</summary>
      ${detail && html`<p>${sentence(detail)}</p>`}
      ${violations.length > 0 && html`<ul>${violations.map(({ pointer, said }) => html`
        <li><code>${pointer}</code> ${said}</li>`)}</ul>`}
      <p>
        <${OtherWindow} href=${pageUrl(`docs/errors#${headingOf(code)}`)}>${code}<//>
        ${requestId && html` · request <code>${requestId}</code>`}
      </p>
    </details>`;
}

/**
 * Returns the ID of an error code's heading in the documentation of errors.
 * @param {string} code a code of the API or of inventory search
 */
export function headingOf(code) {
  return (tableCode(code) ?? code).toLowerCase().replaceAll('_', '-');
}
