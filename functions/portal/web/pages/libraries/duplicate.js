// The dialog that duplicates an asset under a different name.

import { html } from 'htm/preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { useSave } from '../../scenario/save.js';
import { FormErrors, notesOf } from '../../scenario/violations.js';
import { Dialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { EarlierSave } from './earlier-save.js';
import { titleOf } from './family.js';

/**
 * Asks for the name of the copy, saves the copy, and opens it.
 * @param {{family: import('./family.js').Family, asset: any, onClose: () => void}} props
 */
export function Duplicate({ family, asset, onClose }) {
  const { route } = useLocation();
  const [name, setName] = useState(`Copy of ${titleOf(family, asset)}`);
  const { save, isBusy, error } = useSave(family.create);
  const pointer = family.one === 'campaign' ? '/campaign/name' : '/name';
  const notes = notesOf([pointer], { error });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const saved = await save(family.body(family.named(family.draft(asset), name)));
    if (saved) route(pageUrl(`${family.many}/${saved.asset.asset_id}`));
  };
  return html`
    <${Dialog} title=${`Duplicate this ${family.one}`} onClose=${onClose}>
      <form onSubmit=${submit}>
        <${Field} label="Name of the copy" error=${notes.errorAt(pointer)}>
          <input value=${name}
            onInput=${(/** @type {any} */ event) => setName(event.target.value)} autofocus />
        <//>
        <p>The copy is a draft with the same content, including the external ID.</p>
        <${EarlierSave} family=${family} error=${error} />
        <${FormErrors} notes=${notes} error=${error} />
        <div class="actions">
          <button type="button" onClick=${onClose}>Cancel</button>
          <button class="primary" disabled=${isBusy}>Duplicate · ${costOf(family.create)}</button>
        </div>
      </form>
    <//>`;
}
