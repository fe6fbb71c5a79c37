// Links of invitations name the portal alone: their secret says which page they are for.

import { pageUrl } from '../addresses.js';

/** What stands before an invitation's secret in its link. */
const MARK = '#invitation=';

/** Leads an invitation's link to its page, wherever the link points. */
export function followInvitation() {
  if (!location.hash.startsWith(MARK) || location.pathname === pageUrl('invitation')) return;
  history.replaceState(null, '', pageUrl('invitation') + location.hash);
}
