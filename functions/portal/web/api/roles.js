// The roles with their names and permissions. The service's table is in shared/store/src/role.rs.

/** @typedef {import('./types').Schema<'Role'>} Role */

/** @typedef {'manage_keys' | 'manage_members' | 'manage_tile_grants' | 'manage_webhooks'} Permission */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} as the name with its article, such as `an owner`
 * @property {Permission[]} permissions
 */

/** @type {Record<Role, Row>} */
export const ROLES = {
  owner: {
    name: 'Owner', as: 'an owner',
    permissions: ['manage_keys', 'manage_members', 'manage_tile_grants', 'manage_webhooks'],
  },
  member: { name: 'Member', as: 'a member', permissions: [] },
};

/** The roles, from the most permissions to the fewest. */
export const ROLE_NAMES = /** @type {Role[]} */ (Object.keys(ROLES));

/**
 * Returns whether a role includes a permission.
 * @param {Role} role
 * @param {Permission} permission
 */
export function may(role, permission) {
  return ROLES[role].permissions.includes(permission);
}
