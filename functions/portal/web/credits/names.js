// What the service sells, and where credits come from, in words.

const KINDS = { promotional: 'Promotional', allocated: 'Allocated', purchased: 'Purchased', metered: 'Metered' };
const ENDS = { live: 'Live', expired: 'Expired', used_up: 'Used up', revoked: 'Taken back' };

/**
 * Writes a billing name as words: `place_search` is "Place search".
 * @param {string} name
 */
export function productName(name) {
  const words = name.replaceAll('_', ' ').replace('crud', 'calls').replace('tilejson', 'TileJSON');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Names the kind of a grant.
 * @param {keyof typeof KINDS} kind
 */
export function kindName(kind) {
  return KINDS[kind];
}

/**
 * Says what became of a grant.
 * @param {keyof typeof ENDS} state
 */
export function endName(state) {
  return ENDS[state];
}
