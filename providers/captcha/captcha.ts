import { randomBytes } from 'node:crypto';
import type { FormActionContext, JsonSchema, PageField, Session, StepResources } from '@keyhost/spi';
import { newChallenge, type Place, verifyAnswer } from './challenge.js';
import { PAGE, scriptTexts } from './texts.js';

/** The form field with the browser's answer, named as in ALTCHA's widget. */
const ANSWER_FIELD = 'altcha';
/** The visible field. */
export const STATUS_FIELD = 'altcha-status';
const CHALLENGE_FIELD = 'altcha-challenge';
const KEY_ENTRY = 'key';
/** The time for which a solved challenge is stored after its expiry, in seconds, because the clocks of nodes differ. */
const REMEMBERED_AFTER_EXPIRY_S = 60;

const DEFAULT_COMPLEXITY = 250_000;
const DEFAULT_LIFETIME_S = 1800;

/** The configuration in plugins.json. */
export const CONFIG = {
  type: 'object',
  properties: {
    key: { type: 'string', minLength: 32, description: 'Signs challenges. Default: made for each realm.' },
  },
  additionalProperties: false,
} as const satisfies JsonSchema;

/** The settings of an execution in a flow. */
export const SETTINGS: JsonSchema = {
  type: 'object',
  properties: {
    complexity: {
      type: 'integer',
      guarded: false,
      title: 'Difficulty',
      description: 'Browsers try half as many numbers on average.',
      minimum: 1000,
      maximum: 10_000_000,
      default: DEFAULT_COMPLEXITY,
    },
    expires: {
      type: 'integer',
      guarded: false,
      title: 'Lifetime',
      description: 'Seconds from the page to the answer.',
      minimum: 30,
      maximum: 86_400,
      default: DEFAULT_LIFETIME_S,
    },
    secret: {
      type: 'string',
      guarded: false,
      title: 'HMAC key',
      description: 'Signs challenges. Default: the key of plugins.json, or one that is made for the realm.',
      format: 'password',
      minLength: 32,
    },
  },
  additionalProperties: false,
};

export const RESOURCES: StepResources = { scripts: ['captcha.js'], workers: ['solver.js'] };

/** The part of the context that the step and the form action share. */
type Context = Pick<FormActionContext, 'config' | 'locale'> & { readonly login: string | undefined };

/** The captcha of one step or form action. */
export class Captcha {
  readonly #session: Session;
  readonly #use: string;
  readonly #key: string | undefined;

  /** @param key the one in plugins.json */
  constructor(session: Session, use: string, key: string | undefined) {
    this.#session = session;
    this.#use = use;
    this.#key = key;
  }

  /** The fields of a new challenge. @param sends true if the script sends the form once the challenge is solved */
  async fields({ config, locale, login }: Context, { sends = false } = {}): Promise<PageField[]> {
    const complexity = Number(config.complexity || DEFAULT_COMPLEXITY);
    const until = this.#now() + Number(config.expires || DEFAULT_LIFETIME_S);
    const challenge = newChallenge(await this.#keyOf(config), complexity, until, this.#place(login));
    const value = JSON.stringify({ challenge, sends, texts: scriptTexts(locale) });
    return [
      { name: CHALLENGE_FIELD, type: 'hidden', label: PAGE.label, value },
      { name: ANSWER_FIELD, type: 'hidden', label: PAGE.label, value: '' },
      { name: STATUS_FIELD, type: 'text', label: PAGE.label, value: '', readOnly: true, help: PAGE.noScript },
    ];
  }

  /** True for the first answer that solves a challenge of this login. */
  async isSolved({ config, login }: Context, form: Readonly<Record<string, string>>): Promise<boolean> {
    const now = this.#now();
    const solved = verifyAnswer(await this.#keyOf(config), form[ANSWER_FIELD] ?? '', this.#place(login), now);
    if (solved === undefined) return false;
    return this.#session.store.claim(`solved/${solved.challenge}`, {
      expiresIn: solved.until - now + REMEMBERED_AFTER_EXPIRY_S,
    });
  }

  #place(login = ''): Place {
    return { realm: this.#session.realm.name, login, use: this.#use };
  }

  /** Seconds since the epoch. */
  #now(): number {
    return Math.floor(this.#session.clock.now() / 1000);
  }

  async #keyOf({ secret }: Context['config']): Promise<string> {
    if (secret) return secret;
    if (this.#key !== undefined) return this.#key;
    const { store } = this.#session;
    const stored = await store.get(KEY_ENTRY);
    if (typeof stored === 'string') return stored;
    const created = randomBytes(32).toString('base64url');
    // If two requests create a key at once, both use the one that was stored first.
    return (await store.replace(KEY_ENTRY, undefined, created)) ? created : String(await store.get(KEY_ENTRY));
  }
}
