// The JSON view of an asset.

import { html } from 'htm/preact';

/**
 * Shows an asset as indented JSON.
 * @param {{asset: any}} props
 */
export function AssetJson({ asset }) {
  return html`
    <section aria-label="JSON" class="json">
      <pre tabindex="0">${JSON.stringify(asset, null, 2)}</pre>
    </section>`;
}
