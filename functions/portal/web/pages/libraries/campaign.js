// The page of one campaign.

import { html } from 'htm/preact';
import { AssetPage } from './asset-page.js';
import { CAMPAIGNS } from './family.js';

/** @param {{id: string}} props */
export default function Campaign({ id }) {
  return html`<${AssetPage} key=${id} family=${CAMPAIGNS} id=${id} />`;
}
