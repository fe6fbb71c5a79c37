// Saves a form as a new asset exactly once, even if a save is retried or its response is lost.

import { useRef, useState } from 'preact/hooks';
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { keepWarnings } from './warnings.js';

/** @typedef {'create_campaign' | 'create_event'} Create */
/** @typedef {import('../api/types').Schema<'CampaignAsset'>} CampaignAsset */
/** @typedef {import('../api/types').Schema<'EventAsset'>} EventAsset */
/** @typedef {import('../api/types').Schema<'Warning'>} Warning */

/**
 * The result of a successful save.
 * @template {Create} Id
 * @typedef {object} Saved
 * @property {Id extends 'create_campaign' ? CampaignAsset : EventAsset} asset
 * @property {Warning[]} warnings the warnings for the first 100 IDs that the release doesn't contain
 * @property {number} warningsTotal the total number of IDs that the release doesn't contain
 */

/**
 * The error for a save that follows a successful save whose response was lost. The later changes aren't
 * saved.
 */
export class SavedEarlier extends Error {
  /** @param {Saved<any>} saved the result of the earlier save */
  constructor(saved) {
    super('Your earlier save succeeded. It doesn’t include your later changes.');
    this.name = 'SavedEarlier';
    this.saved = saved;
  }
}

/**
 * A form to save. Its idempotency key stays the same until the outcome is known, even across retries, network
 * failures, and a new sign-in.
 * @template {Create} Id
 */
class FilledForm {
  /** @param {Id} id */
  constructor(id) {
    this.id = id;
    this.key = '';
    /** @type {string[]} bodies that were sent with the key and may have been saved, oldest first */
    this.unanswered = [];
    /** The body that the API rejected, or an empty string. A different body gets a new key. */
    this.refused = '';
    this.forget();
  }

  /** Replaces the key. The next save then creates another asset, even if the content is the same. */
  forget() {
    this.key = crypto.randomUUID();
    this.unanswered = [];
    this.refused = '';
  }

  /**
   * Creates the asset, or returns the asset that an earlier attempt created.
   * @param {import('../api/types').Arguments<Id> extends {body: infer Body} ? Body : never} body
   * @returns {Promise<Saved<Id>>}
   * @throws {SavedEarlier} if different content of this form was saved, but the response was lost
   * @throws {Error} the same errors as `call`
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
      // The asset that an earlier attempt created has been deleted.
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

  /** Sends the unanswered bodies again. If a body was saved, the API returns its asset at no cost. */
  async #earlier() {
    for (const text of this.unanswered) {
      try {
        return await this.#send(text);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_REUSED')) throw error;
      }
    }
    this.forget();
    throw new Error('This form was already saved with other values. Save again to create a new one.');
  }
}

/**
 * Returns a function that saves the component's form, and the state of the save.
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
   * Saves the form. Returns null if saving fails, in which case `error` contains the reason, or if another
   * save is in progress.
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
 * Returns whether an error means that nothing was created. After a 5xx, the asset may exist, because the
 * error may come from an intermediary.
 * @param {unknown} error
 */
function isRefusal(error) {
  return error instanceof ApiError && error.status < 500;
}
