// What the last save of each asset warned of, so that the asset's page shows it where it belongs.

/** @typedef {import('../api/types').Schema<'Warning'>} Warning */

/** @type {Map<string, Warning[]>} */
const ofAssets = new Map();

/**
 * Keeps the warnings of a save until the asset is saved again.
 * @param {string} assetId
 * @param {Warning[]} warnings
 */
export function keepWarnings(assetId, warnings) {
  ofAssets.set(assetId, warnings);
}

/**
 * Returns the warnings of an asset's last save in this window.
 * @param {string} assetId
 * @returns {Warning[]}
 */
export function warningsOf(assetId) {
  return ofAssets.get(assetId) ?? [];
}
