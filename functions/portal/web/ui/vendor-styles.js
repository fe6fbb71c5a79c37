// Style sheets of vendored libraries, which only the pages that need them load.

import { fileUrl } from '../addresses.js';

/**
 * Adds a library's style sheet before the pages' own, which change some of it; once.
 * @param {string} path such as `vendor/maplibre-gl/dist/maplibre-gl.css`
 */
export function addStyles(path) {
  const href = fileUrl(path);
  if (document.querySelector(`link[href="${href}"]`)) return;
  document.head.prepend(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));
}
