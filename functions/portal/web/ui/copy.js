// Text that somebody takes elsewhere: ids, keys, commands.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';

/** How long the button says that it copied, in milliseconds. */
const SAID = 2000;

/**
 * Shows a text in one width of letters, with a button that copies it.
 * @param {{text: string, what: string, isTextHidden?: boolean}} props `what` names it for those who hear the
 *   page, such as `the key`; a hidden text, which has no room, shows when the pointer rests on the button
 */
export function Copy({ text, what, isTextHidden = false }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
    setSaid(isCopied ? 'Copied' : 'Select it and copy it by hand');
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
