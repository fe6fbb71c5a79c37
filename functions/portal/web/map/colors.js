// The colors of maps, read from the style sheet because a canvas can't use CSS variables.

/**
 * @typedef {Record<'ground' | 'land' | 'water' | 'line' | 'text' | 'soft' | 'halo' | 'displays' | 'places'
 *   | 'accent', string> & {groups: string[]}} Colors `groups` are the chart colors
 */

/**
 * Returns the colors of the current theme.
 * @returns {Colors}
 */
export function colors() {
  const style = getComputedStyle(document.documentElement);
  const token = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    ground: token('--map-ground'),
    land: token('--map-land'),
    water: token('--map-water'),
    line: token('--map-line'),
    text: token('--text'),
    soft: token('--text-soft'),
    halo: token('--map-halo'),
    displays: token('--displays'),
    places: token('--places'),
    accent: token('--accent'),
    groups: Array.from({ length: 8 }, (_, n) => token(`--chart-${n + 1}`)),
  };
}
