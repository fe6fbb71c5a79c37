// Handles invitation links that point to the portal's root. The fragment contains the invitation's token.

import { pageUrl } from '../addresses.js';

/** The start of the fragment, which is followed by the token. */
const MARK = '#invitation=';

/** Redirects an invitation link to the invitation page. */
export function followInvitation() {
  if (!location.hash.startsWith(MARK) || location.pathname === pageUrl('invitation')) return;
  history.replaceState(null, '', pageUrl('invitation') + location.hash);
}
