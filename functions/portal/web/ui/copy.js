// Text with a copy button, such as an ID, a key, or a command.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';

/** How long the result of copying is shown, in milliseconds. */
const SAID = 2000;

/**
 * Shows monospaced text with a copy button.
 * @param {{text: string, what: string, isTextHidden?: boolean}} props `what` names the text for screen
 *   readers, such as `the key`; hidden text is shown as the button's tooltip
 */
export function Copy({ text, what, isTextHidden = false }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    setSaid(isCopied ? 'Copied' : 'Select the text and copy it');
    setTimeout(() => setSaid(''), SAID);
  };
  return html`
    <span class="copy">
      ${!isTextHidden && html`<code>${text}</code>`}
      <button class="quiet" title=${isTextHidden ? text : undefined} aria-label=${`Copy ${what}`}
        onClick=${copy}>Copy</button>
      <span role="status">${said}</span>
    </span>`;
}
