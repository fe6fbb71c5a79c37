// Saves a filled form as a new asset, once: however often it is sent, and whatever happens to the answers.

import { useRef, useState } from 'preact/hooks';
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { keepWarnings } from './warnings.js';

/** @typedef {'create_campaign' | 'create_event'} Create */
/** @typedef {import('../api/types').Schema<'CampaignAsset'>} CampaignAsset */
/** @typedef {import('../api/types').Schema<'EventAsset'>} EventAsset */
/** @typedef {import('../api/types').Schema<'Warning'>} Warning */

/**
 * What a save left in the library.
 * @template {Create} Id
 * @typedef {object} Saved
 * @property {Id extends 'create_campaign' ? CampaignAsset : EventAsset} asset
 * @property {Warning[]} warnings ids in it that the release does not have; the first 100
 * @property {number} warningsTotal
 */

/** An earlier save, whose answer was lost, had gone through; what was changed since is in no asset. */
export class SavedEarlier extends Error {
  /** @param {Saved<any>} saved what the earlier save left */
  constructor(saved) {
    super('Your earlier save went through, though its answer was lost. What you changed since is not in it');
    this.name = 'SavedEarlier';
    this.saved = saved;
  }
}

/**
 * A form that can be saved. Its `Idempotency-Key` lives as long as it is not known whether the service has
 * it: through retries, lost networks and a second sign-in.
 * @template {Create} Id
 */
class FilledForm {
  /** @param {Id} id */
  constructor(id) {
    this.id = id;
    this.key = '';
    /** @type {string[]} bodies that were sent with the key, and may have been saved; the oldest first */
    this.unanswered = [];
    /** The body that the service refused for certain; another one is another form. */
    this.refused = '';
    this.forget();
  }

  /** Begins anew: what is saved next is another asset, even if it has the same content. */
  forget() {
    this.key = crypto.randomUUID();
    this.unanswered = [];
    this.refused = '';
  }

  /**
   * Creates the asset, or returns the one that an earlier try created.
   * @param {import('../api/types').Arguments<Id> extends {body: infer Body} ? Body : never} body
   * @returns {Promise<Saved<Id>>}
   * @throws {SavedEarlier} where another content of this form was saved without an answer
   * @throws {Error} as `call` does
   */
  async save(body) {
    const text = JSON.stringify(body);
    if (this.refused && this.refused !== text) this.forget();
    const isRetry = this.unanswered.includes(text);
    if (!isRetry) this.unanswered.push(text);
    try {
      return await this.#send(text);
    } catch (error) {
      if (!isRetry && isRefusal(error)) this.unanswered.pop();
      if (error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED') {
        throw new SavedEarlier(await this.#earlier());
      }
      // What was created has been deleted since.
      if (error instanceof ApiError && error.status === 404) this.forget();
      if (this.unanswered.length === 0) this.refused = text;
      throw error;
    }
  }

  /** @param {string} text */
  async #send(text) {
    const body = JSON.parse(text);
    const headers = { 'Idempotency-Key': this.key };
    const answer = await call(this.id, /** @type {any} */ ({ body, headers }));
    const { data, meta } = /** @type {any} */ (answer.body);
    this.forget();
    keepWarnings(data.asset_id, meta.warnings ?? []);
    return /** @type {Saved<Id>} */ ({
      asset: data, warnings: meta.warnings ?? [], warningsTotal: meta.warnings_total ?? 0,
    });
  }

  /** Sends again what may have been saved: what was answers with its asset, and costs nothing. */
  async #earlier() {
    for (const text of this.unanswered) {
      try {
        return await this.#send(text);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED')) throw error;
      }
    }
    this.forget();
    throw new Error('The service has another form under this form’s key. Save again: it gets a new one.');
  }
}

/**
 * Keeps a form's key and the state of its save, for one form of a component.
 * @template {Create} Id
 * @param {Id} id
 */
export function useSave(id) {
  const form = useRef(/** @type {FilledForm<Id> | null} */ (null));
  form.current ??= new FilledForm(id);
  const isUnderWay = useRef(false);
  const [state, setState] = useState({
    isBusy: false,
    error: /** @type {Error | null} */ (null),
    saved: /** @type {Saved<Id> | null} */ (null),
  });

  /**
   * Saves; `error` says why when it returns null. A second call while one is under way does nothing.
   * @param {Parameters<FilledForm<Id>['save']>[0]} body
   * @returns {Promise<Saved<Id> | null>}
   */
  const save = async (body) => {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setState((before) => ({ ...before, isBusy: true, error: null }));
    const [saved, error] = await /** @type {FilledForm<Id>} */ (form.current).save(body).then(
      (done) => /** @type {const} */ ([done, null]),
      (failed) => /** @type {const} */ ([null, failed]),
    );
    isUnderWay.current = false;
    setState({ isBusy: false, error, saved });
    return saved;
  };
  return { ...state, save };
}

/**
 * Tells whether an answer says for certain that nothing was created. After a 5xx it may have been: another
 * server than the service's own may have given it.
 * @param {unknown} error
 */
function isRefusal(error) {
  return error instanceof ApiError && error.status < 500;
}
