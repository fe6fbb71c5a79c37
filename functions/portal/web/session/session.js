// Who is signed in: tokens in memory alone, renewed before they expire, and asked for again when they are
// refused.

import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { computed, signal } from '@preact/signals';
import { configuration, pageUrl } from '../configuration.js';
import { SIGNED_IN, pageAt } from '../routes.js';

/** How large the window is in which somebody signs in again, in pixels. */
const WINDOW = { width: 480, height: 640 };

/** @type {import('@preact/signals').Signal<import('oidc-client-ts').User | null>} */
const user = signal(null);

/** Why nobody is signed in, in words; null while nothing has failed. */
export const trouble = signal(/** @type {string | null} */ (null));

/** Whether the interface refused the token, and somebody has to sign in again. */
export const isAsking = signal(false);

/** The address that the person signed in with, as their token names it. */
export const email = computed(() => user.value?.profile.email ?? null);

/** Whether somebody is signed in. */
export const isSignedIn = computed(() => user.value !== null);

/** @type {UserManager | null} */
const manager = configuration.issuer && configuration.client_id ? makeManager() : null;

/** Whether the browser is on its way out, and must not be sent back in. */
let isLeaving = false;

/** Those who wait for a new sign-in: calls that were refused. */
/** @type {((isSignedIn: boolean) => void)[]} */
let waiting = [];

/**
 * Finishes a sign-in that is under way, or begins one where the page needs it.
 * @returns {Promise<boolean>} whether a page is to be shown; false while the browser is sent elsewhere
 */
export async function start() {
  if (isAt(SIGNED_IN)) return finish();
  if (!manager) {
    trouble.value = 'Nobody can sign in here: the service names no issuer of tokens.';
    return true;
  }
  if (pageAt(location.pathname)?.isPublic) return true;
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
  if (isLeaving) return false;
  trouble.value = null;
  const at = location.pathname + location.search + location.hash;
  const returnTo = pageAt(location.pathname)?.path === 'signed-out' ? pageUrl() : at;
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
  return user.value?.id_token ?? null;
}

/**
 * Gets a new token in the place of one that was refused: by itself where that is possible, else once the
 * person has signed in again. What they have typed stays where it is.
 * @returns {Promise<boolean>} whether there is one
 */
export async function renew() {
  if (await renewQuietly()) return true;
  isAsking.value = true;
  return new Promise((resolve) => waiting.push(resolve));
}

/** Opens the issuer's pages in a window of their own. Browsers allow that after a person's click alone. */
export async function signInAgain() {
  const { width, height } = WINDOW;
  const before = user.value?.profile.sub;
  try {
    const now = await manager?.signinPopup({ popupWindowFeatures: { width, height } });
    // What is on the page is of somebody else: nothing of it is sent in another's name.
    if (now?.profile.sub !== before) {
      answerWaiting(false);
      location.replace(pageUrl());
      return;
    }
    trouble.value = null;
    answerWaiting(true);
  } catch (error) {
    trouble.value = `That did not work: ${message(error)}.`;
  }
}

/** Gives up signing in again: the calls that wait for it fail. */
export function stayOut() {
  answerWaiting(false);
}

/** Forgets everything, here and at the issuer. */
export async function signOut() {
  isLeaving = true;
  await manager?.removeUser();
  sessionStorage.clear();
  localStorage.clear();
  const out = location.origin + pageUrl('signed-out');
  if (!configuration.sign_out_url) {
    location.replace(out);
    return;
  }
  const query = new URLSearchParams({ client_id: configuration.client_id ?? '', logout_uri: out });
  location.replace(`${configuration.sign_out_url}?${query}`);
}

async function finish() {
  // In the window of a second sign-in there is nothing to show: it tells the page that opened it, and closes.
  if (window.opener) {
    await manager?.signinPopupCallback();
    return false;
  }
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
    user.value = loaded;
  });
  made.events.addUserUnloaded(() => {
    user.value = null;
  });
  made.events.addAccessTokenExpiring(() => void renewQuietly());
  return made;
}

/** @param {string} page */
function isAt(page) {
  return location.pathname === pageUrl(page);
}

/** @param {unknown} error */
function message(error) {
  const text = error instanceof Error ? error.message : '';
  return text.replace(/\.$/, '') || 'the issuer does not answer';
}
