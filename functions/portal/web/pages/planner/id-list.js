// Adds displays from a list of IDs or unit numbers, which can be typed, pasted, or dropped as a file.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { costOf } from '../../api/limits.js';
import { LOOKUPS, findDisplays, isDisplayId } from '../../scenario/sites.js';
import { Choice } from '../../ui/choice.js';
import { Failure } from '../../ui/failure.js';
import { Field } from '../../ui/field.js';
import { number } from '../../ui/format.js';
import { displays, ofLookup } from './display.js';
import { choose, chosen } from './plan.js';

/** @typedef {'ids' | 'units'} Kind */
/** @typedef {{found: number, missing: string[]}} Report */

const KINDS = [{ value: 'ids', name: 'Display IDs' }, { value: 'units', name: 'Unit numbers' }];
/** The maximum number of missing entries to list. */
const MOST_LISTED = 20;

/** Shows the fields for a list, and reports which entries weren't found. */
export function IdList() {
  const [text, setText] = useState('');
  const [kind, setKind] = useState(/** @type {Kind} */ ('ids'));
  const [owner, setOwner] = useState('');
  const { report, error, isBusy, find } = useList();
  const entries = entriesOf(text);
  const drop = async (/** @type {DragEvent} */ event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    setText(await file.text());
  };
  const start = () => find(kind, owner.trim(), entries);
  return html`
    <details class="id-list">
      <summary>Add a list of displays</summary>
      <${Choice} label="The list contains" options=${KINDS} value=${kind} onChange=${setKind} />
      ${kind === 'units' && html`
        <${Field} label="Media owner" hint="The company that sells the displays.">
          <input value=${owner} onInput=${(/** @type {any} */ event) => setOwner(event.target.value)} />
        <//>`}
      <${Field} label="List" hint="One per line, or a CSV file’s first column. You can drop a file here.">
        <textarea rows="4" value=${text} onDrop=${drop}
          onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
      <//>
      ${entries.length > LOOKUPS.displays.most && html`
        <p class="warning">A list can have at most ${displays(LOOKUPS.displays.most)}.</p>`}
      <button type="button" onClick=${start} disabled=${isBusy || entries.length === 0
        || entries.length > LOOKUPS.displays.most || (kind === 'units' && owner.trim() === '')}>
        ${isBusy ? 'Looking up…' : `Add ${displays(entries.length)} · ${costOf('look_up_displays')}`}
      </button>
      <${Failure} error=${error} retry=${start} />
      ${report && html`<${Found} ...${report} />`}
    </details>`;
}

/** @param {Report} report */
function Found({ found, missing }) {
  const more = missing.length - MOST_LISTED;
  return html`
    <div role="status">
      <p>Added ${displays(found)}.</p>
      ${missing.length > 0 && html`
        <p class="warning">${number(missing.length)} not found: ${missing.slice(0, MOST_LISTED).join(', ')}${
          more > 0 && ` and ${number(more)} more`}.</p>`}
    </div>`;
}

/**
 * Returns a function that looks up a list and adds its displays to the plan. Also returns the outcome of the
 * last lookup.
 */
function useList() {
  const [report, setReport] = useState(/** @type {Report | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const [isBusy, setIsBusy] = useState(false);
  const find = async (/** @type {Kind} */ kind, /** @type {string} */ owner,
    /** @type {string[]} */ entries) => {
    setIsBusy(true);
    setError(null);
    setReport(null);
    try {
      const records = await recordsOf(kind, owner, entries);
      const known = new Set(records.map(({ spot_id: id, plant_spot_id: unit }) =>
        (kind === 'ids' ? String(id) : unit)));
      const before = chosen.value.size;
      choose(records.map(ofLookup));
      setReport({
        found: chosen.value.size - before, missing: entries.filter((entry) => !known.has(entry)),
      });
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
    setIsBusy(false);
  };
  return { report, error, isBusy, find };
}

/**
 * @param {Kind} kind
 * @param {string} owner
 * @param {string[]} entries
 */
async function recordsOf(kind, owner, entries) {
  const ids = entries.filter(isDisplayId).map(Number);
  if (kind === 'ids' && ids.length === 0) return [];
  const body = kind === 'ids' ? { spot_ids: ids } : { media_owner: owner, plant_spot_ids: entries };
  return (await findDisplays(body)).flatMap(({ record }) => record ?? []);
}

/**
 * Returns the distinct entries of a list: the first cell of each line, or all parts of a single line. If the
 * first entry contains no digits, it's skipped as a column title.
 * @param {string} text
 */
function entriesOf(text) {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/).filter((line) => line.trim() !== '');
  const isOneLine = lines.length === 1;
  const cells = isOneLine ? lines[0].split(/[,;\s]+/) : lines.map((line) => line.split(/[,;\t]/)[0]);
  const entries = cells.map((cell) => cell.trim().replace(/^"(.*)"$/, '$1')).filter(Boolean);
  const isTitled = entries.length > 0 && !/\d/.test(entries[0]);
  return [...new Set(isTitled ? entries.slice(1) : entries)];
}
