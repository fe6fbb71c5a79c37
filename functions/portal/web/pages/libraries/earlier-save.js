// A link to the asset that an earlier save created, although its response was lost.

import { html } from 'htm/preact';
import { pageUrl } from '../../addresses.js';
import { SavedEarlier } from '../../scenario/save.js';
import { titleOf } from './family.js';

/**
 * Links to the asset that the earlier save created. Shows nothing for other errors.
 * @param {{family: import('./family.js').Family, error: Error | null}} props
 */
export function EarlierSave({ family, error }) {
  if (!(error instanceof SavedEarlier)) return null;
  const { asset } = error.saved;
  return html`
    <p>
      <a href=${pageUrl(`${family.many}/${asset.asset_id}`)}>Open ${titleOf(family, asset)}</a>
      ${' '}to change it, or save again to create another ${family.one}.
    </p>`;
}
