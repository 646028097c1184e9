import type { JsonPath } from '../../json/json-document.js';

/** A member of a realm that Keycloak imports and Keyhost cannot use, and how it is handled. */
export interface Stale {
  readonly path: JsonPath;
  readonly message: string;
  /** True if the realm is less protected without it: production refuses the file. */
  readonly weakens?: true;
}

/** How a stale member is handled. Without `to`, it is removed. */
export interface Reading extends Pick<Stale, 'message' | 'weakens'> {
  readonly to?: unknown;
}

/** One type of stale members. */
export interface StaleRule {
  /** Path of the member. `*` is every item of a list, and every member of an object. */
  readonly at: readonly string[];
  /**
   * @param name last part of the path
   * @returns undefined for a value that can stay, and for a value of another JSON type, which the schema rejects
   */
  read(value: unknown, name: string | number): Reading | undefined;
}

export type Members = Readonly<Record<string, unknown>>;

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
