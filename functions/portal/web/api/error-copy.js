// Portal copy for errors of the API. The API's own text is for developers and appears only under "Details".

/** @typedef {import('./types').Schema<'Error'>['error']['code']} Code */
/** @typedef {import('./operations.js').OperationId} OperationId */

/** @type {Record<Code, string>} */
export const ERROR_COPY = {
  UNAUTHORIZED: 'Your sign-in has ended. Sign in again.',
  AMBIGUOUS_AUTH: 'Two credentials were sent at once. Reload the page.',
  FORBIDDEN: 'You don’t have permission to do this. Ask an owner of your organization.',
  EMAIL_NOT_VERIFIED: 'Your email address isn’t verified. Verify it where you sign in, then sign in again.',
  SIGN_UP_CLOSED: 'Self-service sign-up is off. Ask your administrator to create an organization for '
    + 'you, or ask an organization owner to invite you.',
  ORGANIZATION_SUSPENDED: 'Your organization is suspended. Ask your administrator to resume it.',
  QUOTA_EXCEEDED: 'You don’t have enough credits for this.',
  RATE_LIMITED: 'You’ve reached the call limit for this minute.',
  SIGN_UPS_EXHAUSTED: 'Today’s sign-up limit has been reached for everyone, for your email domain, or for '
    + 'your network. Try again tomorrow.',
  VALIDATION_ERROR: 'Some values weren’t accepted. Check the highlighted fields.',
  ASSET_NOT_EDITABLE: 'This can’t be edited anymore: its measurement is in flight or completed.',
  ASSET_NOT_DELETABLE: 'This can’t be deleted: its measurement is in flight or completed.',
  NOT_FOUND: 'This doesn’t exist, or you don’t have access to it.',
  METHOD_NOT_ALLOWED: 'This action isn’t available. Reload the page.',
  NOT_ACCEPTABLE: 'This file format isn’t available.',
  STATE_CONFLICT: 'The measurement started while you were editing, so this can’t be changed anymore.',
  ALREADY_IN_ORGANIZATION: 'You already belong to an organization. Leave it first.',
  SIGNED_UP_BEFORE: 'You’ve signed up before. Ask an organization owner to invite you.',
  AMBIGUOUS_SCENARIO_ID: 'Several items have this external ID. Delete the others first.',
  IDEMPOTENCY_KEY_REUSED: 'This form was already saved with other values.',
  LIMIT_REACHED: 'Your organization has reached its limit. Remove an item to add another.',
  GONE: 'This has been revoked or has expired.',
  CURSOR_EXPIRED: 'The next changes are no longer available. Reload the page.',
  PRECONDITION_FAILED: 'Someone else changed this while you were editing.',
  PAYLOAD_TOO_LARGE: 'This is too large to save or load. Reduce it and try again.',
  UNSUPPORTED_MEDIA_TYPE: 'This format isn’t supported. Reload the page.',
  INTERNAL_ERROR: 'Something went wrong on our side. You weren’t charged; try again.',
  SERVICE_UNAVAILABLE: 'Marquee is temporarily unavailable. You weren’t charged; try again.',
  RELEASE_NOT_READY: 'Marquee’s data isn’t ready. You weren’t charged; try again in a few seconds. If this '
    + 'persists, tell your administrator.',
};

/** Copy for a measurement that can't be bought. */
const NOT_MEASURABLE = 'This can’t be measured now: its measurement was already bought, or this service '
  + 'doesn’t sell measurements. See Details.';

const LAST_OWNER = 'An organization needs at least one owner. Make another member an owner first.';

/** Copy for errors that `ERROR_COPY` doesn't describe well, by operation. */
/** @type {Partial<Record<OperationId, Partial<Record<Code, string>>>>} */
const OPERATION_COPY = {
  accept_invitation: {
    FORBIDDEN: 'This invitation was sent to another address. Sign in with that address.',
    GONE: 'This invitation was already used, was revoked, or has expired. Ask for a new one.',
    LIMIT_REACHED: 'The organization has no room for more members. Ask an owner to remove one.',
    NOT_FOUND: 'Invitation not found. Ask for the complete link or a new invitation.',
    ORGANIZATION_SUSPENDED: 'The organization that invited you is suspended.',
  },
  buy_campaign_measurement: { STATE_CONFLICT: NOT_MEASURABLE },
  buy_event_measurement: { STATE_CONFLICT: NOT_MEASURABLE },
  edit_member: { STATE_CONFLICT: LAST_OWNER },
  remove_member: { STATE_CONFLICT: LAST_OWNER },
  create_key: {
    LIMIT_REACHED: 'Your organization has reached its key limit. Revoke a key to create another.',
  },
  create_client_link: {
    LIMIT_REACHED: 'Your organization has reached its link limit. Revoke a link to create another.',
  },
  create_tile_grant: {
    LIMIT_REACHED: 'Your organization has reached its tile grant limit. Revoke a grant to create another.',
  },
  revoke_tile_grant: {
    FORBIDDEN: 'Another member created this tile grant. Ask an owner to revoke it.',
  },
  invite_member: {
    LIMIT_REACHED:
      'Your organization has reached its member limit. Remove a member or revoke an invitation first.',
  },
  create_webhook: {
    LIMIT_REACHED: 'Your organization has reached its webhook limit. Delete a webhook to create another.',
  },
  test_webhook: { STATE_CONFLICT: 'This webhook is disabled. Enable it first.' },
  redeliver_webhook_delivery: {
    STATE_CONFLICT: 'This delivery is still pending, or its webhook is disabled. Refresh the deliveries.',
  },
  estimate_campaign: { VALIDATION_ERROR: 'This plan can’t be estimated. See Details.' },
  revoke_invitation: { STATE_CONFLICT: 'This invitation was already accepted. Remove the member instead.' },
};

/** The codes in `ERROR_COPY` that correspond to the error codes of inventory search. */
/** @type {Record<string, Code>} */
const SEARCH_CODES = { RATE_LIMIT_EXCEEDED: 'RATE_LIMITED', invalid_request: 'VALIDATION_ERROR' };

/** The codes in `ERROR_COPY` for responses without an API code, such as those of API Gateway, by status. */
/** @type {Record<number, Code>} */
const STATUS_CODES = {
  401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 413: 'PAYLOAD_TOO_LARGE', 429: 'RATE_LIMITED',
  503: 'SERVICE_UNAVAILABLE',
};

/** Copy for a field whose value the API rejected. */
const FIELD_COPY = 'This value wasn’t accepted. See Details.';

/**
 * Copy for a rejected `near_places` filter. The API rejects the filter as a whole only if too many places
 * match.
 */
const MANY_PLACES = 'More than 5,000 places match. Enter an area, or a smaller one.';

/** Copy for an error that doesn't correspond to a code in `ERROR_COPY`. */
const UNKNOWN_COPY = 'This didn’t work. See Details.';

/**
 * Returns the copy for an error response.
 * @param {OperationId} operation
 * @param {string} code
 * @param {number} status
 */
export function errorCopy(operation, code, status) {
  const known = tableCode(code) ?? STATUS_CODES[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : undefined);
  if (known === undefined) return UNKNOWN_COPY;
  return OPERATION_COPY[operation]?.[known] ?? ERROR_COPY[known];
}

/**
 * Returns the code in `ERROR_COPY` for an error code of the API or of inventory search; undefined if none.
 * @param {string} code
 * @returns {Code | undefined}
 */
export function tableCode(code) {
  return SEARCH_CODES[code] ?? (code in ERROR_COPY ? /** @type {Code} */ (code) : undefined);
}

/**
 * Returns the copy for a field whose value the API rejected.
 * @param {string} pointer a JSON pointer into the request body
 */
export function fieldCopy(pointer) {
  return /^\/filter\/(not_)?near_places\/filter$/.test(pointer) ? MANY_PLACES : FIELD_COPY;
}

/**
 * Returns the warning for a brand in a search, or an ID in an asset, that isn't in the current data.
 * @param {string} pointer a JSON pointer into the search or the asset
 */
export function warningCopy(pointer) {
  if (pointer.endsWith('/brand')) return 'The current data has no places of this brand.';
  const member = pointer.split('/')[1] ?? '';
  const kind = { spots: 'display', place_ids: 'place' }[member] ?? 'audience';
  return `This ${kind} isn’t in the current data. It’s saved, but can’t be measured yet.`;
}
