// The section for developers on an asset's page, with the asset's ID and JSON.

import { html } from 'htm/preact';
import { Copy } from '../../ui/copy.js';
import { download } from '../../ui/download.js';

/**
 * Shows a collapsed section with the asset's ID and JSON, as the API returns them.
 * @param {{family: import('./family.js').Family, asset: any}} props
 */
export function Developer({ family, asset }) {
  const text = `${JSON.stringify(asset, null, 2)}\n`;
  const keep = () => download(`${family.one}-${asset.asset_id}.json`, 'application/json', text);
  return html`
    <details class="card json">
      <summary>Developer</summary>
      <p>ID: <${Copy} text=${asset.asset_id} what="ID" /></p>
      <pre tabindex="0" role="region" aria-label="JSON">${text}</pre>
      <button onClick=${keep}>Download JSON</button>
    </details>`;
}
