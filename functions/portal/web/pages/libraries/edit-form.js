// The edit form of an asset. Saving fails if the asset has changed since the form opened.

import { html } from 'htm/preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { call } from '../../api/client.js';
import { ApiError, NetworkError } from '../../api/errors.js';
import { costOf } from '../../api/limits.js';
import { FormErrors, focusFirstWrong, notesOf } from '../../scenario/violations.js';
import { keepWarnings } from '../../scenario/warnings.js';
import { Unsaved } from '../../ui/unsaved.js';
import { changedMembers, onNewest } from './changes.js';
import { Conflict } from './conflict.js';
import { AssetFields } from './asset-fields.js';
import { SaveAsNew } from './save-as-new.js';

/** @typedef {import('./family.js').Family} Family */
/** @typedef {import('./family.js').Version} Version */

/** The error codes that the API returns for an asset that can no longer be edited. */
const LOCKED = ['ASSET_NOT_EDITABLE', 'STATE_CONFLICT'];

/** @type {{isChecked: object | null, error: Error | null}} `isChecked` is a new object for each check */
const NOTHING_WRONG = { isChecked: null, error: null };

/**
 * Shows the form. If someone else has saved the asset, also shows the conflict.
 * @param {{family: Family, version: Version, onSaved: (version: Version) => void, onLeave: () => void}} props
 */
export function EditForm({ family, version, onSaved, onLeave }) {
  const [base, setBase] = useState(version);
  const [draft, setDraft] = useState(() => family.draft(version.asset));
  const { isChecked, error, isBusy, isLost, save } = useEdit(family, base, draft, onSaved);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  // After the first check, update the errors on every change, so that a corrected field is no longer marked.
  const faults = JSON.stringify(isChecked ? family.faults(draft) : []);
  const notes = useMemo(() =>
    notesOf(family.fields, { faults: JSON.parse(faults), error }), [family, faults, error]);
  const before = family.draft(base.asset);
  const isChanged = JSON.stringify(before) !== JSON.stringify(draft);
  useEffect(() => focusFirstWrong(form.current), [isChecked, error]);
  const code = error instanceof ApiError ? error.code : '';
  const take = (/** @type {Version} */ newest, /** @type {any} */ next) => {
    setBase(newest);
    setDraft(next);
    save.forget();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    save();
  };
  return html`
    <${Unsaved} isChanged=${isChanged} />
    ${code === 'PRECONDITION_FAILED' && html`
      <${Conflict} family=${family} base=${base} draft=${draft} isLost=${isLost} onSame=${onSaved}
        onTheirs=${(/** @type {Version} */ newest) => take(newest, family.draft(newest.asset))}
        onMine=${(/** @type {Version} */ newest) =>
          take(newest, onNewest(before, family.draft(newest.asset), draft))} />`}
    <form ref=${form} class="edit" noValidate onSubmit=${submit}>
      <${AssetFields} family=${family} draft=${draft} onChange=${setDraft} notes=${notes} />
      <div class="end">
        ${code !== 'PRECONDITION_FAILED' && html`<${FormErrors} notes=${notes} error=${error} />`}
        ${LOCKED.includes(code) && html`<${SaveAsNew} family=${family} draft=${draft} />`}
        <div class="actions">
          <button type="button" onClick=${onLeave}>${isChanged ? 'Discard changes' : 'Back'}</button>
          <button class="primary" disabled=${isBusy || !isChanged}>
            ${isChanged ? `Save changes · ${costOf(family.edit)}` : 'No changes yet'}
          </button>
        </div>
      </div>
    </form>`;
}

/**
 * @param {Family} family
 * @param {Version} base
 * @param {any} draft
 * @param {(version: Version) => void} onSaved
 */
function useEdit(family, base, draft, onSaved) {
  const [state, setState] = useState(NOTHING_WRONG);
  const [isBusy, setIsBusy] = useState(false);
  // Whether an earlier save got no response, so that it may have succeeded.
  const [isLost, setIsLost] = useState(false);
  const save = async () => {
    setState({ isChecked: {}, error: null });
    if (family.faults(draft).length > 0 || isBusy) return;
    setIsBusy(true);
    try {
      onSaved(await edit(family, base, draft));
    } catch (error) {
      setState({ isChecked: {}, error: /** @type {Error} */ (error) });
      const isFault = error instanceof ApiError && error.status >= 500;
      if (isFault || error instanceof NetworkError) setIsLost(true);
      setIsBusy(false);
    }
  };
  return { ...state, isBusy, isLost, save: Object.assign(save, { forget: () => setState(NOTHING_WRONG) }) };
}

/**
 * Sends the changed members. The API rejects them if the asset has changed since it was read.
 * @param {Family} family
 * @param {Version} base
 * @param {any} draft
 * @returns {Promise<Version>}
 */
async function edit(family, { asset, etag }, draft) {
  const changed = changedMembers(family.body(family.draft(asset)), family.body(draft));
  const { body, headers } = await call(family.edit, /** @type {any} */ ({
    path: { asset_id: asset.asset_id }, headers: { 'If-Match': etag }, body: changed,
  }));
  const { data, meta } = /** @type {any} */ (body);
  keepWarnings(data.asset_id, meta.warnings ?? []);
  return { asset: data, etag: headers.get('ETag') ?? '' };
}
