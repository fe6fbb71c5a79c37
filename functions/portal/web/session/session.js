// Who is signed in: tokens in memory alone, renewed before they expire, and asked for again when they are
// refused.

import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { computed, signal } from '@preact/signals';
import { SIGNED_IN, pageUrl } from '../addresses.js';
import { configuration } from '../configuration.js';

/** How long a sign-out waits for the issuer to end what renews tokens, in milliseconds. */
const REVOCATION = 2000;

/** How large the window is in which somebody signs in again, in pixels. */
const WINDOW = { width: 480, height: 640 };

/** @type {import('@preact/signals').Signal<import('oidc-client-ts').User | null>} */
const user = signal(null);

/** Why nobody is signed in, in words; null while nothing has failed. */
export const trouble = signal(/** @type {string | null} */ (null));

/** Whether the page is being left for good: it sends nothing any more, and nothing holds it back. */
export const isLeaving = signal(false);

/** Whether the interface refused the token, and somebody has to sign in again. */
export const isAsking = signal(false);

/** The address that the person signed in with, as their token names it. */
export const email = computed(() => user.value?.profile.email ?? null);

/** Whether somebody is signed in. */
export const isSignedIn = computed(() => user.value !== null);

/** @type {UserManager | null} */
const manager = configuration.issuer && configuration.client_id ? makeManager() : null;

/** Tells the portal's other windows of a sign-out. */
const windows = new BroadcastChannel('portal');
windows.addEventListener('message', () => leaveFor(pageUrl('signed-out')));

/** Those who wait for a new sign-in: calls that were refused. */
/** @type {((isSignedIn: boolean) => void)[]} */
let waiting = [];

/**
 * Finishes a sign-in that is under way, or begins one where the page needs it.
 * @param {boolean} isPublic whether the page can be read without signing in
 * @returns {Promise<boolean>} whether a page is to be shown; false while the browser is sent elsewhere
 */
export async function start(isPublic) {
  if (isAt(SIGNED_IN)) return finish();
  if (!manager) {
    trouble.value = 'Nobody can sign in here: the service names no issuer of tokens.';
    return true;
  }
  if (isPublic) return true;
  return signIn();
}

/**
 * Sends the browser to the issuer, which sends it back without a question where it knows the person.
 * @returns {Promise<boolean>} true when that failed, and a page has to say so
 */
export async function signIn() {
  return goToIssuer({});
}

/** Sends the browser to the issuer, which asks who it is, and back to this page. */
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
    trouble.value = `The sign-in page cannot be reached: ${message(error)}.`;
    return true;
  }
}

/** Returns the token to call the interface with; null for nobody. */
export function token() {
  return isLeaving.value ? null : (user.value?.id_token ?? null);
}

/**
 * Gets a new token in the place of one that was refused: by itself where that is possible, else once the
 * person has signed in again. What they have typed stays where it is.
 * @returns {Promise<boolean>} whether there is one
 */
export async function renew() {
  if (isLeaving.value) return false;
  if (await renewQuietly()) return true;
  isAsking.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Opens the issuer's pages in a window of their own. Browsers allow that after a person's click alone. */
export async function signInAgain() {
  const { width, height } = WINDOW;
  try {
    await manager?.signinPopup({ popupWindowFeatures: { width, height } });
    trouble.value = null;
    answerWaiting(!isLeaving.value);
  } catch (error) {
    trouble.value = `That did not work: ${message(error)}.`;
  }
}

/** Gives up signing in again: the calls that wait for it fail. */
export function stayOut() {
  answerWaiting(false);
}

/** Forgets everything, here, in the portal's other windows, and at the issuer. */
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
 * Forgets everything here, and goes.
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
  // The window of a second sign-in began nothing itself: it tells the page that opened it, and closes.
  if (state && sessionStorage.getItem(`oidc.${state}`) === null) return tellOpener();
  try {
    const back = await manager?.signinRedirectCallback();
    // Of ways to the issuer that nobody came back from.
    await manager?.clearStaleState();
    const { returnTo } = /** @type {{returnTo?: string}} */ (back?.state ?? {});
    history.replaceState(null, '', returnTo?.startsWith('/portal') ? returnTo : pageUrl());
  } catch (error) {
    history.replaceState(null, '', pageUrl('signed-out'));
    trouble.value = `You are not signed in: ${message(error)}.`;
  }
  return true;
}

/** @returns {Promise<boolean>} true when there is nobody to tell, and a page has to say so */
async function tellOpener() {
  try {
    await manager?.signinPopupCallback();
    return false;
  } catch {
    history.replaceState(null, '', pageUrl('signed-out'));
    trouble.value = 'This sign-in was begun elsewhere, or long ago. Sign in again.';
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
    scope: 'openid email',
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The secret of the exchange must outlive the way to the issuer and back; it is gone after that.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    // Without a refresh token it would try a frame, which the policy of these pages forbids.
    automaticSilentRenew: false,
  });
  made.events.addUserLoaded((loaded) => {
    const before = user.value?.profile.sub;
    if (before === undefined || before === loaded.profile.sub) user.value = loaded;
    // What is on the page is of somebody else: nothing of it is sent in another's name.
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
  return text.replace(/\.$/, '') || 'the issuer does not answer';
}
