// Handles an edit conflict: someone else saved the asset while the form was open. Shows both sets of changes
// and asks which to keep.

import { html } from 'htm/preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { costOf } from '../../api/limits.js';
import { Failure } from '../../ui/failure.js';
import { time } from '../../ui/format.js';
import { Table } from '../../ui/table.js';
import { changedMembers, differences, inWords } from './changes.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('./family.js').Version} Version */
/** @typedef {import('./changes.js').Difference} Difference */

/**
 * Shows the conflict. A click loads the latest version and shows what changed.
 * @param {{family: Family, base: Version, draft: any, isLost: boolean, onTheirs: (newest: Version) => void,
 *   onMine: (newest: Version) => void, onSame: (newest: Version) => void}} props `isLost` means that
 *   an earlier save got no response; `onSame` is called if the latest version equals the draft
 */
export function Conflict({ family, base, draft, isLost, onTheirs, onMine, onSame }) {
  const [newest, setNewest] = useState(/** @type {Version | null} */ (null));
  const [error, setError] = useState(/** @type {Error | null} */ (null));
  const whole = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => whole.current?.focus(), []);
  const read = async () => {
    setError(null);
    try {
      const { body, headers } = await call(family.read, { path: { asset_id: base.asset.asset_id } });
      const found = { asset: body.data, etag: headers.get('ETag') ?? '' };
      const differing = changedMembers(family.body(family.draft(found.asset)), family.body(draft));
      if (Object.keys(differing).length === 0) onSame(found);
      else setNewest(found);
    } catch (failed) {
      setError(/** @type {Error} */ (failed));
    }
  };
  return html`
    <section class="conflict" role="alert" tabindex="-1" ref=${whole}>
      ${isLost
        ? html`<h2>Your earlier save may have gone through</h2>
          <p>We received no response, and this ${family.one} has changed since. Your changes are still in the
            form below.</p>`
        : html`<h2>Someone else changed this ${family.one}</h2>
          <p>Your changes weren’t saved. They’re still in the form below.</p>`}
      ${!newest && html`
        <button class="primary" onClick=${read}>Show what changed · ${costOf(family.read)}</button>`}
      ${newest && html`<${Versions} family=${family} base=${base} newest=${newest} draft=${draft} />
        <div class="actions">
          <button onClick=${() => onTheirs(newest)}>Discard my changes</button>
          <button class="primary" onClick=${() => onMine(newest)}>Apply my changes</button>
        </div>`}
      <${Failure} error=${error} retry=${read} />
    </section>`;
}

/** @param {{family: Family, base: Version, newest: Version, draft: any}} props */
function Versions({ family, base, newest, draft }) {
  const parts = (/** @type {Version} */ { asset }) => family.parts(family.draft(asset));
  const rows = differences(parts(base), parts(newest), family.parts(draft));
  const lines = (/** @type {'before' | 'theirs' | 'mine'} */ which) => (/** @type {Difference} */ row) =>
    inWords(row[which], row.before).map((line) => html`<div>${line}</div>`);
  const isTheirs = (/** @type {Difference} */ { theirs, before }) =>
    JSON.stringify(theirs) !== JSON.stringify(before);
  const columns = [
    { title: 'Field', cell: (/** @type {Difference} */ row) => row.label },
    { title: 'When you opened it', cell: lines('before') },
    {
      title: 'Saved since',
      cell: (/** @type {Difference} */ row) =>
        (isTheirs(row) ? html`<mark>${lines('theirs')(row)}</mark>` : 'Unchanged'),
    },
    { title: 'Your changes', cell: lines('mine') },
  ];
  if (rows.every((row) => !isTheirs(row))) {
    const at = time(newest.asset.updated_at);
    return html`<p>Only its state changed. Saved ${at}.</p>`;
  }
  return html`
    <${Table} caption=${`Saved ${time(newest.asset.updated_at)}`} columns=${columns} rows=${rows}
      keyOf=${(/** @type {Difference} */ row) => row.label} />`;
}
