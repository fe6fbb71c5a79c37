// The scopes that a key can have, most common first.

/** @typedef {import('../../api/types').Schema<'Scope'>} Scope */

/** @type {{scope: Scope, allows: string}[]} */
export const SCOPES = [
  { scope: 'scenarios:read', allows: 'Read campaigns and events.' },
  { scope: 'scenarios:write', allows: 'Create, edit, and delete campaigns and events.' },
  { scope: 'inventory', allows: 'Search displays, or look them up by ID.' },
  { scope: 'analytics', allows: 'Search places and read reports, cohorts, population, and markets.' },
  { scope: 'tiles', allows: 'Create, list, and revoke tile grants for maps.' },
  { scope: 'billing', allows: 'Read credits, usage, and bills.' },
  { scope: 'measurements', allows: 'Buy measurements.' },
];

/** The scopes of an organization's first key: all scopes except `tiles`, `billing`, and `measurements`. */
export const FIRST_SCOPES = SCOPES.slice(0, 4).map(({ scope }) => scope);
