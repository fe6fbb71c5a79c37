// Style sheets of vendored libraries, loaded by the pages that need them.

import { fileUrl } from '../addresses.js';

/**
 * Adds a library's style sheet, unless it was already added. The portal's own style sheets override it.
 * @param {string} path the file, such as `vendor/maplibre-gl/dist/maplibre-gl.css`
 */
export function addStyles(path) {
  const href = fileUrl(path);
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.prepend(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
}
