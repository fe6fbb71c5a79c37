// Fields for selecting the markets of an audience from a list of the most populous markets, or by searching.

import { html } from 'htm/preact';
import { useEffect, useState } from 'preact/hooks';
import { Chosen, Combobox } from '../ui/combobox.js';
import { Failure } from '../ui/failure.js';
import { Field } from '../ui/field.js';
import { number } from '../ui/format.js';
import { matchingWords } from '../ui/word-search.js';
import { AREA_TYPES, findMarkets, marketName, nameMarkets } from './markets.js';

/** @typedef {import('./markets.js').AreaType} AreaType */
/** @typedef {import('./markets.js').Found} Found */

/** @type {Found} */
const NOTHING = { markets: [], isAll: false };
const POINTER = '/cohort/geography_ids';

/**
 * Shows fields for selecting markets. Each search is a free call that counts toward the rate limit.
 * @param {{ids: string[], onChange: (ids: string[]) => void, notes: import('./violations.js').Notes}} props
 */
export function MarketsField({ ids, onChange, notes }) {
  const [type, setType] = useState(/** @type {AreaType} */ ('DMA'));
  const [words, setWords] = useState('');
  const { found, error, find } = useMarkets(type);
  useEffect(() => void nameMarkets(ids).catch(() => {}), [ids]);
  const choices = found.markets.filter(({ market_id: id }) => !ids.includes(id)).map(choiceOf);
  const searched = words.trim();
  const more = searched !== '' && !found.isAll && html`
    <button type="button" class="quiet"
      onClick=${() => find(searched)}>Search all for “${searched}” · free</button>`;
  return html`
    <${Field} label="Market type">
      <select value=${type} onChange=${(/** @type {any} */ event) => setType(event.target.value)}>
        ${AREA_TYPES.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
      </select>
    <//>
    <${Field} label="Markets" error=${notes.errorAt(POINTER)} warning=${notes.warningAt(POINTER)}
      isRequired hint="Where the audience lives. Several markets are combined.">
      <${Combobox} words=${words} onWords=${setWords} choices=${matchingWords(choices, words)} more=${more}
        placeholder=${type === 'ZIP' ? 'First digits or city' : 'Find a market'}
        onChoose=${(/** @type {{id: string}} */ { id }) => onChange([...ids, id])}
        onOpen=${() => find('')} onEnter=${() => find(searched)}
        none=${html`<p>${noneOf(found, error)}</p>`} />
    <//>
    <${Chosen} label="Markets: selected" chosen=${ids.map((id) => ({ id, name: marketName(id) }))}
      onRemove=${(/** @type {string} */ id) => onChange(ids.filter((one) => one !== id))} />
    <${Failure} error=${error} retry=${() => find(searched)} />`;
}

/**
 * Returns the text that explains why no markets are shown.
 * @param {Found} found
 * @param {Error | null} error
 */
function noneOf(found, error) {
  if (error) return 'Markets couldn’t be loaded.';
  return found === NOTHING ? 'Loading markets…' : 'No matches among the loaded markets.';
}

/** @param {AreaType} type */
function useMarkets(type) {
  const [state, setState] = useState({ type, found: NOTHING });
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const find = (/** @type {string} */ words) => {
    setError(null);
    findMarkets(type, words).then((next) => setState((before) => {
      const kept = before.type === type ? before.found.markets : [];
      const added = next.markets.filter((market) => !kept.some((one) => one.market_id === market.market_id));
      return { type, found: { markets: [...kept, ...added], isAll: words === '' && next.isAll } };
    }), setError);
  };
  return { found: state.type === type ? state.found : NOTHING, error, find };
}

/** @param {import('./markets.js').Market} market */
function choiceOf({ market_id: id, population }) {
  return { id, name: marketName(id), hint: `${number(population)} people` };
}
