// The addresses of pages and files. This module has no imports, so any module can import it.

/** The base path of all pages. */
export const BASE = '/portal';

/** The path, below `BASE`, of the page that the issuer redirects to after sign-in. */
export const SIGNED_IN = 'signed-in';

/**
 * Returns a page's address.
 * @param {string} [page] the path below `BASE`, such as `campaigns`; the overview by default
 */
export function pageUrl(page = '') {
  return `${BASE}/${page}`;
}

/**
 * Returns the address of a file in this module's folder.
 * @param {string} path the file's path in that folder, such as `icon.svg`
 */
export function fileUrl(path) {
  return new URL(path, import.meta.url).href;
}
