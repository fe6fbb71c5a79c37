// An owner's first key and first call.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { NetworkError } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { useCall } from '../../api/use-call.js';
import { pageUrl } from '../../addresses.js';
import { Failure } from '../../ui/failure.js';
import { date } from '../../ui/format.js';
import { Loading } from '../../ui/loading.js';
import { Secret } from '../../ui/secret.js';
import { LostKey } from '../keys/lost-key.js';
import { FIRST_SCOPES } from '../keys/scopes.js';
import { FirstCall } from './first-call.js';
import { Step } from './step.js';

/** @typedef {import('../../api/types').Schema<'ApiKey'>} ApiKey */
/** @typedef {import('../../api/types').Schema<'MintedApiKey'>} MintedApiKey */

const LABEL = 'first key';

/** Shows the two steps after signing up. */
export function FirstSteps() {
  const { body, error, retry } = useCall('list_keys', {});
  const [minted, setMinted] = useState(/** @type {MintedApiKey | null} */ (null));
  const [isLost, setIsLost] = useState(false);
  const lost = () => {
    setIsLost(true);
    retry();
  };
  const newest = minted ?? body?.data.find(({ state }) => state === 'live');
  return html`
    <${Step} title="A key" isDone=${Boolean(newest)} isNow=${Boolean(body) && !newest}>
      <${Failure} error=${error} retry=${retry} />
      ${!body && !error && html`<${Loading} what="your keys" lines=${2} />`}
      ${isLost && html`<${LostKey} />`}
      ${body && html`
        <${KeyStep} newest=${newest} minted=${minted} onMinted=${setMinted} onLost=${lost} />`}
    <//>
    ${newest
      ? html`<${FirstCall} apiKey=${minted?.api_key ?? null} />`
      : html`<${Step} title="A first call" />`}`;
}

/**
 * @param {{newest?: ApiKey, minted: MintedApiKey | null, onMinted: (key: MintedApiKey) => void,
 *   onLost: () => void}} props
 */
function KeyStep({ newest, minted, onMinted, onLost }) {
  if (minted?.api_key) {
    return html`<${Secret} title=${`Your key “${minted.label}”`} text=${minted.api_key} what="the key" />`;
  }
  if (newest) {
    return html`
      <p>You have the key “${newest.label}”, <code>mq_live_…${newest.last_four}</code>, minted${' '}
        ${date(newest.created_at)}. It was shown once.</p>
      <p>Is it lost? <a href=${pageUrl('keys')}>Revoke it</a>, and mint another.</p>
      <${MintButton} text="Mint another key" onMinted=${onMinted} onLost=${onLost} />`;
  }
  return html`
    <p>A program shows its key with every call. Your first one opens ${FIRST_SCOPES.map((scope, n) => html`
      ${n > 0 && ', '}<code>${scope}</code>`)}. It is shown once, right after this: have the place ready
      where you keep secrets.</p>
    <${MintButton} text="Mint your first key" isFirst onMinted=${onMinted} onLost=${onLost} />`;
}

/**
 * @param {{text: string, isFirst?: boolean, onMinted: (key: MintedApiKey) => void, onLost: () => void}} props
 */
function MintButton({ text, isFirst = false, onMinted, onLost }) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const mint = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const { body } = await call('mint_key', { body: { label: LABEL, scopes: FIRST_SCOPES } });
      onMinted(body.data);
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
      if (failed instanceof NetworkError) onLost();
    }
    setIsBusy(false);
  };
  return html`
    <${Failure} error=${error} />
    <button class=${isFirst ? 'primary' : ''} disabled=${isBusy} onClick=${mint}>
      ${text} · ${costOf('mint_key')}
    </button>`;
}
