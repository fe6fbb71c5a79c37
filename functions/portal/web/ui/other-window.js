// Links that open in another window, so that unsaved changes in the current window aren't lost.

import { html } from 'htm/preact';

/**
 * Shows a link that opens in another window, with a note for screen readers.
 * @param {{href: string, children?: any}} props
 */
export function OtherWindow({ href, children }) {
  return html`
    <a href=${href} target="_blank" rel="noopener">
      ${children}<span class="hidden"> (opens in another window)</span>
    </a>`;
}
