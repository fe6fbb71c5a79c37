// The addresses of pages and files. This module imports nothing, so that every other module can import it.

/** The address that every page lies under. */
export const BASE = '/portal';

/** The page that the issuer sends people back to; nothing stays there. */
export const SIGNED_IN = 'signed-in';

/**
 * Names a page's address.
 * @param {string} [page] such as `campaigns`
 */
export function pageUrl(page = '') {
  return `${BASE}/${page}`;
}

/**
 * Names the address of one of the pages' own files, which lies beside this module.
 * @param {string} path such as `icon.svg`
 */
export function fileUrl(path) {
  return new URL(path, import.meta.url).href;
}
