// The types of changes that webhooks can send, with their names.

/** @typedef {import('../../api/types').Schema<'ChangeType'>} ChangeType */

/** @type {Record<ChangeType, {name: string, about?: string}>} */
const CHANGES = {
  'asset.created': { name: 'Campaign or event created' },
  'asset.updated': { name: 'Campaign or event updated', about: 'Its content or its results changed.' },
  'asset.state_changed': { name: 'Campaign or event changed state', about: 'For example, to completed.' },
  'asset.deleted': { name: 'Campaign or event deleted' },
  'key.created': { name: 'API key created' },
  'key.revoked': { name: 'API key revoked' },
  'credits.low': { name: 'Credits low', about: 'Only 25%, 10%, or 0% of the granted credits are left.' },
};

/** All types, in the order in which forms list them. */
export const CHANGE_TYPES = /** @type {ChangeType[]} */ (Object.keys(CHANGES));

/**
 * Returns the name of a type, and an explanation if the name needs one.
 * @param {ChangeType} type
 */
export function describe(type) {
  return CHANGES[type];
}

/**
 * Returns the name of a delivery's type.
 * @param {import('../../api/types').Schema<'WebhookDelivery'>['type']} type
 */
export function nameOfType(type) {
  return type === 'webhook.test' ? 'Test' : CHANGES[type].name;
}
