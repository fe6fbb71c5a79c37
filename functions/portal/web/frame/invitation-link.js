// Handles invitation links. They point to the portal's root, with the invitation's token in the fragment.

import { pageUrl } from '../addresses.js';

/** The start of the fragment. The token follows. */
const MARK = '#invitation=';

/** Redirects an invitation link to the invitation page. */
export function followInvitation() {
  if (!location.hash.startsWith(MARK) || location.pathname === pageUrl('invitation')) return;
  history.replaceState(null, '', pageUrl('invitation') + location.hash);
}
