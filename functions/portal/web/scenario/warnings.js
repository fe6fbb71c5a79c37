// The warnings from each asset's last save, for the asset's page.

/** @typedef {import('../api/types').Schema<'Warning'>} Warning */

/** @type {Map<string, Warning[]>} */
const ofAssets = new Map();

/**
 * Stores the warnings of an asset until the asset is saved again.
 * @param {string} assetId
 * @param {Warning[]} warnings
 */
export function keepWarnings(assetId, warnings) {
  ofAssets.set(assetId, warnings);
}

/**
 * Returns the warnings from an asset's last save in this window.
 * @param {string} assetId
 * @returns {Warning[]}
 */
export function warningsOf(assetId) {
  return ofAssets.get(assetId) ?? [];
}
