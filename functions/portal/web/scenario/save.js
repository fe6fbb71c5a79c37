// Saves a form as a new asset exactly once, even after retries and lost responses.

import { useRef, useState } from 'preact/hooks';
import { call } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import { keepWarnings } from './warnings.js';

/** @typedef {'create_campaign' | 'create_event'} Create */
/** @typedef {import('../api/types').Schema<'CampaignAsset'>} CampaignAsset */
/** @typedef {import('../api/types').Schema<'EventAsset'>} EventAsset */
/** @typedef {import('../api/types').Schema<'Warning'>} Warning */

/**
 * The outcome of a save.
 * @template {Create} Id
 * @typedef {object} Saved
 * @property {Id extends 'create_campaign' ? CampaignAsset : EventAsset} asset
 * @property {Warning[]} warnings the first 100 ids that the release doesn't contain
 * @property {number} warningsTotal
 */

/** The error when an earlier save, whose response was lost, had succeeded. Later changes aren't saved. */
export class SavedEarlier extends Error {
  /** @param {Saved<any>} saved the outcome of the earlier save */
  constructor(saved) {
    super('Your earlier save succeeded. It doesn’t include your later changes.');
    this.name = 'SavedEarlier';
    this.saved = saved;
  }
}

/**
 * A form to save. Its `Idempotency-Key` stays the same until the outcome is known: through retries, network
 * failures and a second sign-in.
 * @template {Create} Id
 */
class FilledForm {
  /** @param {Id} id */
  constructor(id) {
    this.id = id;
    this.key = '';
    /** @type {string[]} bodies sent with the key that may have been saved, oldest first */
    this.unanswered = [];
    /** The rejected body; a different body gets a new key. */
    this.refused = '';
    this.forget();
  }

  /** Resets the key: the next save creates another asset, even with the same content. */
  forget() {
    this.key = crypto.randomUUID();
    this.unanswered = [];
    this.refused = '';
  }

  /**
   * Creates the asset, or returns the one that an earlier attempt created.
   * @param {import('../api/types').Arguments<Id> extends {body: infer Body} ? Body : never} body
   * @returns {Promise<Saved<Id>>}
   * @throws {SavedEarlier} if other content of this form was saved without a response
   * @throws {Error} the errors of `call`
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
      // The created asset has been deleted since.
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

  /** Repeats the unanswered bodies: a saved one returns its asset at no cost. */
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
 * Keeps the key and the save state of a component's form.
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
   * Saves the form. Returns null after a failure, with the reason in `error`. Does nothing during a save.
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
 * Returns whether an error means that nothing was created. After a 5xx, which may come from an intermediary,
 * the asset may exist.
 * @param {unknown} error
 */
function isRefusal(error) {
  return error instanceof ApiError && error.status < 500;
}
