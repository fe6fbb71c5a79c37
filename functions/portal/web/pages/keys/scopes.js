// What a key may be used for, in the order in which most people need it.

/** @typedef {import('../../api/types').Schema<'Scope'>} Scope */

/** @type {{scope: Scope, allows: string}[]} */
export const SCOPES = [
  { scope: 'scenarios:read', allows: 'Read campaigns and events.' },
  { scope: 'scenarios:write', allows: 'Make, edit and delete campaigns and events.' },
  { scope: 'inventory', allows: 'Search displays, and look them up by id.' },
  { scope: 'analytics', allows: 'Search places and read their reports; cohorts, population and markets.' },
  { scope: 'tiles', allows: 'Mint, list and revoke tile grants for maps.' },
  { scope: 'billing', allows: 'Read credits, usage and bills.' },
];

/** What a first key opens: everything to try the interface with, but no maps of sites and no bills. */
export const FIRST_SCOPES = SCOPES.slice(0, 4).map(({ scope }) => scope);
