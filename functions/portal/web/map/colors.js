// The colours of maps, which are drawn on a canvas: the tokens of the styles, as they are now.

/**
 * @typedef {Record<'ground' | 'line' | 'text' | 'soft' | 'halo' | 'displays' | 'places' | 'accent', string>}
 *   Colors
 */

/**
 * Reads the colours of the theme that is shown.
 * @returns {Colors}
 */
export function colors() {
  const style = getComputedStyle(document.documentElement);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    ground: token('--map-ground'),
    line: token('--map-line'),
    text: token('--text'),
    soft: token('--text-soft'),
    halo: token('--map-halo'),
    displays: token('--displays'),
    places: token('--places'),
    accent: token('--accent'),
  };
}
