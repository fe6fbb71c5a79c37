// The grants that the portal mints for its own maps.

import { LABEL } from '../../map/tile-source.js';

/**
 * Tells whether the maps of these pages show tiles by a grant.
 * @param {{label: string | null, allowed_origins: string[]}} grant
 */
export function isPortals({ label, allowed_origins: origins }) {
  return label === LABEL && origins.includes(location.origin);
}
