// A secret that is shown only once, such as a key, a signing secret, or an invitation link.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { Copy } from './copy.js';

/**
 * Shows a secret that can't be shown again.
 * @param {{title: string, text: string, what: string, onDone?: () => void, children?: any}} props `what`
 *   names the secret within a sentence, such as `the key`
 */
export function Secret({ title, text, what, onDone, children }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), [text]);
  return html`
    <section class="card secret">
      <h2 ref=${heading} tabindex="-1">${title}</h2>
      <p><strong>Copy ${what} now. It won’t be shown again.</strong></p>
      <${Copy} text=${text} what=${what} />
      ${children}
      ${onDone && html`<div class="actions"><button onClick=${onDone}>I’ve copied it</button></div>`}
    </section>`;
}
