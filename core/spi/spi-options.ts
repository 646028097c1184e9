import type { JsonObject, JsonSchema } from './json-schema.js';

/**
 * Describes how an argument is passed to a provider in a worker. Members are named by paths, such as `user` or
 * `session.notes`.
 */
export interface Crossing {
  /** The members that are copied as data. Default: all that are not named below. */
  readonly data?: readonly string[];
  /** Functions that stay in the host. The worker gets a function of the same name that calls the host. */
  readonly live?: readonly string[];
  /** A member that is an AbortSignal. In the worker it is the signal of the session. */
  readonly signal?: string;
  /** Objects whose keys come from outside of the host. They have no prototype in the worker, either. */
  readonly maps?: readonly string[];
}

/**
 * The allowed results, in addition to being plain data: a JSON Schema for each method, or a function that describes the
 * mistake, such as `status 99: it must be a number from 200 to 599`. A method without a schema can return any data.
 * With `unread` nothing is checked, because the receiver checks every part itself.
 */
export type Answers =
  | Readonly<Record<string, JsonSchema>>
  | ((
      method: string,
      answer: unknown,
      /** The declaration of the provider that returned it. */
      declaration: Readonly<Record<string, unknown>>,
    ) => string | undefined)
  | 'unread';

/**
 * The callers that an operation admits: everyone, the callers that the declaration names, or callers that the operation
 * itself selects.
 */
export type OperationAccess = 'everybody' | 'declared' | 'undeclared';

/** A position in a realm file that names a provider, for an SPI whose providers a key of the realm enables. */
export interface RealmMention {
  /** The provider's ID. */
  readonly id: string;
  /** The path in the realm file. */
  readonly path: readonly (string | number)[];
  /** False if the realm names and disables it. */
  readonly enabled: boolean;
}

/** Describes how a key of the realm enables the providers of an SPI. */
export interface RealmSwitch {
  /** The key, such as `eventsListeners`. */
  readonly key: string;
  /** If the key is a list of IDs: the default of a realm without the key. */
  readonly list?: readonly string[];
  /** Returns every position in a realm that names a provider. A value of the wrong type names none. */
  mentions(realm: Readonly<Record<string, unknown>>): Iterable<RealmMention>;
  /**
   * Returns the part of a realm file that enables the provider, for people to read.
   * @param settings the required settings of the provider, with placeholder values
   */
  example(id: string, settings: JsonObject): string;
}
