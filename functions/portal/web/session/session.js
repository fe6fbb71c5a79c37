// The sign-in session. Tokens are kept in memory, and renewed before they expire or after they're rejected.

import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { computed, signal } from '@preact/signals';
import { SIGNED_IN, pageUrl } from '../addresses.js';
import { configuration } from '../configuration.js';

/** How long a sign-out waits for the issuer to revoke the refresh token, in milliseconds. */
const REVOCATION = 2000;

/** The size of the window for signing in again, in pixels. */
const WINDOW = { width: 480, height: 640 };

/** @type {import('@preact/signals').Signal<import('oidc-client-ts').User | null>} */
const user = signal(null);

/** The error message of a failed sign-in; null if signing in hasn't failed. */
export const trouble = signal(/** @type {string | null} */ (null));

/** Whether the page is closing. A closing page doesn't make calls or ask for confirmation. */
export const isLeaving = signal(false);

/** Whether the API rejected the token and the person has to sign in again. */
export const isAsking = signal(false);

/** The email address in the person's token; null if the token doesn't contain one. */
export const email = computed(() => user.value?.profile.email ?? null);

/** Whether a person is signed in. */
export const isSignedIn = computed(() => user.value !== null);

/** @type {UserManager | null} */
const manager = configuration.issuer && configuration.client_id ? makeManager() : null;

/** The channel that notifies the portal's other windows of a sign-out. */
const windows = new BroadcastChannel('portal');
windows.addEventListener('message', () => leaveFor(pageUrl('signed-out')));

/** Functions that resume the rejected calls after the person signs in again or declines to. */
/** @type {((isSignedIn: boolean) => void)[]} */
let waiting = [];

/**
 * Completes a sign-in in progress, or starts one if the page requires signing in.
 * @param {boolean} isPublic whether the page is readable without signing in
 * @returns {Promise<boolean>} whether to show the portal; false during a redirect
 */
export async function start(isPublic) {
  if (isAt(SIGNED_IN)) return finish();
  if (!manager) {
    trouble.value = 'Sign-in isn’t configured.';
    return true;
  }
  if (isPublic) return true;
  return signIn();
}

/**
 * Redirects to the issuer. If the person has a session there, the issuer redirects back immediately.
 * @returns {Promise<boolean>} true if the redirect failed, so that a page must show the error
 */
export async function signIn() {
  return goToIssuer({});
}

/**
 * Redirects to the issuer and back. The issuer asks the person to sign in even if they already have a session
 * there.
 */
export async function signInAsAnother() {
  return goToIssuer({ prompt: 'login' });
}

/** @param {{prompt?: string}} options */
async function goToIssuer(options) {
  if (isLeaving.value) return false;
  trouble.value = null;
  const at = location.pathname + location.search + location.hash;
  const returnTo = isAt('signed-out') ? pageUrl() : at;
  try {
    await manager?.signinRedirect({ ...options, state: { returnTo } });
    return false;
  } catch (error) {
    trouble.value = `Can’t reach the sign-in page: ${message(error)}.`;
    return true;
  }
}

/** Returns the token for API calls; null if no one is signed in. */
export function token() {
  return isLeaving.value ? null : (user.value?.id_token ?? null);
}

/**
 * Replaces a rejected token, silently if possible and otherwise by asking the person to sign in again.
 * @returns {Promise<boolean>} whether there is a new token
 */
export async function renew() {
  if (isLeaving.value) return false;
  if (await renewQuietly()) return true;
  isAsking.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Opens the issuer's sign-in page in a separate window. Browsers allow this only after a click. */
export async function signInAgain() {
  const { width, height } = WINDOW;
  try {
    await manager?.signinPopup({ popupWindowFeatures: { width, height } });
    trouble.value = null;
    answerWaiting(!isLeaving.value);
  } catch (error) {
    trouble.value = `Signing in failed: ${message(error)}.`;
  }
}

/** Declines to sign in again. The waiting calls then fail. */
export function stayOut() {
  answerWaiting(false);
}

/** Signs out in this window, in the portal's other windows, and at the issuer. */
export async function signOut() {
  isLeaving.value = true;
  const revoked = Promise.resolve(manager?.revokeTokens(['refresh_token'])).catch(() => undefined);
  await Promise.race([revoked, new Promise((resolve) => setTimeout(resolve, REVOCATION))]);
  windows.postMessage('signed out');
  const out = location.origin + pageUrl('signed-out');
  const query = new URLSearchParams({ client_id: configuration.client_id ?? '', logout_uri: out });
  await leaveFor(configuration.sign_out_url ? `${configuration.sign_out_url}?${query}` : out);
}

/**
 * Clears the tokens and all stored data, and goes to an address.
 * @param {string} address
 */
async function leaveFor(address) {
  isLeaving.value = true;
  answerWaiting(false);
  await manager?.removeUser();
  sessionStorage.clear();
  localStorage.clear();
  location.replace(address);
}

async function finish() {
  const state = new URLSearchParams(location.search).get('state');
  // The window that `signInAgain` opens has no stored state. It notifies its opener and closes.
  if (state && sessionStorage.getItem(`oidc.${state}`) === null) return tellOpener();
  try {
    const back = await manager?.signinRedirectCallback();
    // Remove the state of abandoned sign-ins.
    await manager?.clearStaleState();
    const { returnTo } = /** @type {{returnTo?: string}} */ (back?.state ?? {});
    history.replaceState(null, '', returnTo?.startsWith('/portal') ? returnTo : pageUrl());
  } catch (error) {
    history.replaceState(null, '', pageUrl('signed-out'));
    trouble.value = `Signing in failed: ${message(error)}.`;
  }
  return true;
}

/** @returns {Promise<boolean>} true if the window has no opener, so that a page must show the error */
async function tellOpener() {
  try {
    await manager?.signinPopupCallback();
    return false;
  } catch {
    history.replaceState(null, '', pageUrl('signed-out'));
    trouble.value = 'This sign-in link has expired. Sign in again.';
    return true;
  }
}

async function renewQuietly() {
  if (!user.value?.refresh_token) return false;
  const renewed = await manager?.signinSilent().catch(() => null);
  return Boolean(renewed);
}

/** @param {boolean} isIn */
function answerWaiting(isIn) {
  isAsking.value = false;
  const asked = waiting;
  waiting = [];
  for (const resolve of asked) resolve(isIn);
}

function makeManager() {
  const made = new UserManager({
    authority: configuration.issuer ?? '',
    client_id: configuration.client_id ?? '',
    redirect_uri: location.origin + pageUrl(SIGNED_IN),
    response_type: 'code',
    scope: 'openid email profile',
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The PKCE verifier must survive the redirect to the issuer and back.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // Without a refresh token, the library would use an iframe, which the content security policy forbids.
    automaticSilentRenew: false,
  });
  made.events.addUserLoaded((loaded) => {
    const before = user.value?.profile.sub;
    if (before === undefined || before === loaded.profile.sub) user.value = loaded;
    // Another person has signed in. Leave the page, so that its content isn't submitted on that person's
    // behalf.
    else void leaveFor(pageUrl());
  });
  made.events.addUserUnloaded(() => {
    user.value = null;
  });
  made.events.addAccessTokenExpiring(() => void renewQuietly());
  return made;
}

/** @param {string} page */
function isAt(page) {
  return location.pathname.replace(/\/$/, '') === pageUrl(page);
}

/** @param {unknown} error */
function message(error) {
  const text = error instanceof Error ? error.message : '';
  return text.replace(/\.$/, '') || 'the sign-in service isn’t responding';
}
