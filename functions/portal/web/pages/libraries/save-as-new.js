// A button for assets that can no longer be edited, which saves the changes as a new asset.

import { html } from 'htm/preact';
import { useLocation } from 'preact-iso/router';
import { costOf } from '../../api/limits.js';
import { pageUrl } from '../../addresses.js';
import { useSave } from '../../scenario/save.js';
import { Failure } from '../../ui/failure.js';
import { EarlierSave } from './earlier-save.js';

/**
 * Shows a button that saves the draft as a new asset and opens that asset.
 * @param {{family: import('./family.js').Family, draft: any}} props
 */
export function SaveAsNew({ family, draft }) {
  const { route } = useLocation();
  const { save, isBusy, error } = useSave(family.create);
  const keep = async () => {
    const saved = await save(family.body(draft));
    if (saved) route(pageUrl(`${family.many}/${saved.asset.asset_id}`));
  };
  return html`
    <p>
      <button type="button" disabled=${isBusy} onClick=${keep}>
        Save changes as a new ${family.one} · ${costOf(family.create)}
      </button>
    </p>
    <${EarlierSave} family=${family} error=${error} />
    <${Failure} error=${error} retry=${keep} />`;
}
