// Links that open another window, so that unsaved changes in this one stay.

import { html } from 'htm/preact';

/**
 * Links to an address in another window, and says so to screen readers.
 * @param {{href: string, children?: any}} props
 */
export function OtherWindow({ href, children }) {
  return html`
    <a href=${href} target="_blank" rel="noopener">
      ${children}<span class="hidden"> (opens in another window)</span>
    </a>`;
}
