// What is shown once: a key, the link of an invitation.

import { html } from 'htm/preact';
import { useEffect, useRef } from 'preact/hooks';
import { Copy } from './copy.js';

/**
 * Shows a secret that nobody can show again, until its reader has it.
 * @param {{title: string, text: string, what: string, onDone?: () => void, children?: any}} props `what`
 *   names the secret within a sentence, such as `the key`
 */
export function Secret({ title, text, what, onDone, children }) {
  const heading = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => heading.current?.focus(), [text]);
  return html`
    <section class="card secret">
      <h2 ref=${heading} tabindex="-1">${title}</h2>
      <p><strong>This is the only time that ${what} is shown.</strong> Copy it now: it cannot be shown
        again, not even to you.</p>
      <${Copy} text=${text} what=${what} />
      ${children}
      ${onDone && html`<div class="actions"><button onClick=${onDone}>I have it, hide it</button></div>`}
    </section>`;
}
