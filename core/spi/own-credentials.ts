import type { Json, JsonObject } from './json-schema.js';

/** A credential of one of the plugin's own types, without its secret. */
export interface OwnCredential {
  readonly id: string;
  readonly label?: string;
  /** Milliseconds since the epoch. */
  readonly createdDate?: number;
  readonly data: JsonObject;
}

/**
 * What a typed credential came to. `error` is Keycloak's error of the event, for the `error` of a step: too many wrong ones are
 * `user_temporarily_disabled`, and then nobody has looked at it. Tell users the same of both.
 */
export type OwnCredentialVerdict =
  | { readonly valid: true; readonly credential: OwnCredential }
  | { readonly valid: false; readonly error: 'invalid_user_credentials' | 'user_temporarily_disabled' };

/**
 * Credentials of the plugin's own types (`CredentialProvider`), of the user whom a step or required action is about. It needs no
 * grant. All methods throw HostError `credential_type_not_own` (500) for another type, or one that the realm does not have on, and
 * `credential_without_user` (500) outside of a login that knows its user. What fails in the provider throws
 * `temporarily_unavailable` (503): let it end the step.
 */
export interface OwnCredentials {
  /** In the user's order. */
  list(type: string): Promise<readonly OwnCredential[]>;
  /**
   * Tries what was typed on each credential of the type, or on the one with that ID. A wrong one counts with all that is tried of
   * the user, by the realm's brute-force detection.
   */
  verify(type: string, input: Json, options?: { readonly id?: string }): Promise<OwnCredentialVerdict>;
  /**
   * Makes one of what `create` of the provider answers, and writes the event `UPDATE_CREDENTIAL` with it. Of a type with `single` it
   * takes the place of the one before.
   * @throws HostError `credential_user_unproven` (500) if the login has not proven yet that it is this user
   */
  create(type: string, input: Json, options?: { readonly label?: string }): Promise<OwnCredential>;
  /**
   * Removes one, with the event `REMOVE_CREDENTIAL`.
   * @returns whether there was one
   * @throws HostError as `create`
   */
  remove(type: string, id: string): Promise<boolean>;
}
