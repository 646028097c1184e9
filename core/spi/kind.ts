import type { JsonObject, JsonSchema } from './json-schema.js';

/**
 * What of an argument is more than data when a method's provider runs in a worker. Members are named by paths, such as
 * `user` or `session.notes`.
 */
export interface Crossing {
  /** The members that cross as data. Default: all but those that are named below. */
  readonly data?: readonly string[];
  /** Functions that stay in the host. In the worker each is a function of the same name that calls it. */
  readonly live?: readonly string[];
  /** A member that is an AbortSignal. In the worker it is the signal of the session. */
  readonly signal?: string;
  /** Objects that map names which come from outside: in the worker too they have no members but their own. */
  readonly maps?: readonly string[];
}

/**
 * What an answer must look like, in addition to being plain data: a JSON Schema for each method (a method without
 * one can return any data); or a function that names the mistake, such as `status 99: it must be a number from 200 to 599`.
 * `unread`: nothing is checked, not even whether it is plain, because the receiver of the answer reads all of it.
 */
export type Answers =
  | Readonly<Record<string, JsonSchema>>
  | ((
      method: string,
      answer: unknown,
      /** Of the provider that answered. */
      declaration: Readonly<Record<string, unknown>>,
    ) => string | undefined)
  | 'unread';

/** Who can call an operation of a declaration: everyone, the callers that the declaration names, or callers that it does not name. */
export type OperationAccess = 'everybody' | 'declared' | 'undeclared';

/** Where a realm file names a provider of a kind that one of the realm's own keys switches. */
export interface RealmMention {
  readonly id: string;
  readonly path: readonly (string | number)[];
  /** False if the realm names it and disables it. */
  readonly enabled: boolean;
}

/** How the realm's own keys switch the providers of a kind. */
export interface RealmSwitch {
  /** The key, such as `eventsListeners`. */
  readonly key: string;
  /** Where the key is a list of ids: what a realm without the key has. */
  readonly list?: readonly string[];
  /** Every place of a realm that names one. Keys that have another shape name none. */
  mentions(realm: Readonly<Record<string, unknown>>): Iterable<RealmMention>;
  /**
   * What a realm file has where the provider is on, for people.
   * @param settings those that the provider requires, with what stands in their place
   */
  example(id: string, settings: JsonObject): string;
}
