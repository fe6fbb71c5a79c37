// Links that leave the page as it is: what was typed in it must not be lost by reading about it.

import { html } from 'htm/preact';

/**
 * Opens an address in another window, and says so to those who do not see the mark.
 * @param {{href: string, children?: any}} props
 */
export function OtherWindow({ href, children }) {
  return html`
    <a href=${href} target="_blank" rel="noopener">
      ${children}<span class="hidden"> (in another window)</span>
    </a>`;
}
