// A way to what an earlier try has saved, when its answer was lost and the form was changed since.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { SavedEarlier } from '../../scenario/save.js';
import { titleOf } from './family.js';

/**
 * Leads to the asset of the earlier save; nothing else is shown for any other error.
 * @param {{family: import('./family.js').Family, error: Error | null}} props
 */
export function EarlierSave({ family, error }) {
  if (!(error instanceof SavedEarlier)) return null;
  const { asset } = error.saved;
  return html`
    <p>
      <a href=${pageUrl(`${family.many}/${asset.asset_id}`)}>Open ${titleOf(family, asset)}</a>
      ${' '}and change it there; or save again: that makes another ${family.one}.
    </p>`;
}
