import type { JsonPath } from '../../json/json-document.js';

/** A stale member of a realm, which Keycloak imports and Keyhost cannot use, and what happened to it. */
export interface StaleMember {
  readonly path: JsonPath;
  readonly message: string;
  /** True if the realm is less protected without the member, so that production refuses the file. */
  readonly weakens?: true;
}

/** The replacement of a stale member. Without `to`, the member is removed. */
export interface Replacement extends Pick<StaleMember, 'message' | 'weakens'> {
  readonly to?: unknown;
}

/** Finds stale members at one path. */
export interface StaleRule {
  /** The path of the member. `*` matches every item of a list and every member of an object. */
  readonly at: readonly string[];
  /**
   * @param name last part of the path
   * @returns undefined for a value that stays: a valid value, or one of another JSON type, which the schema rejects
   */
  read(value: unknown, name: string | number): Replacement | undefined;
}

export type JsonMembers = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
