// Invitation links point to the portal's root; their fragment identifies the page.

import { pageUrl } from '../addresses.js';

/** The prefix of an invitation's token in its link. */
const MARK = '#invitation=';

/** Redirects an invitation link to its page. */
export function followInvitation() {
  if (!location.hash.startsWith(MARK) || location.pathname === pageUrl('invitation')) return;
  history.replaceState(null, '', pageUrl('invitation') + location.hash);
}
