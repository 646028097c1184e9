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
 * The result of checking a typed credential. `error` is Keycloak's event error, for the `error` of a step. After too
 * many failures it is `user_temporarily_disabled`, and nothing was checked. Show users the same message for both
 * errors.
 */
export type OwnCredentialVerdict =
  | { readonly valid: true; readonly credential: OwnCredential }
  | { readonly valid: false; readonly error: 'invalid_user_credentials' | 'user_temporarily_disabled' };

/**
 * Credentials of the plugin's own types (`CredentialProvider`), of the user in whose login a step or required action
 * runs. They need no right.
 * @throws HostError `credential_type_not_own` (500) for a type of another plugin or a disabled type
 * @throws HostError `credential_without_user` (500) outside of a login with a known user
 * @throws HostError `temporarily_unavailable` (503) if the provider fails: do not catch it, so that the step ends
 */
export interface OwnCredentials {
  /** Returns the credentials in the user's order. */
  list(type: string): Promise<readonly OwnCredential[]>;
  /**
   * Checks the input against each credential of the type, or only against the credential with `id`. A failure counts
   * for the user in the realm's brute-force detection.
   */
  verify(type: string, input: Json, options?: { readonly id?: string }): Promise<OwnCredentialVerdict>;
  /**
   * Stores the credential that `create` of the provider returns, with the event `UPDATE_CREDENTIAL`. For a type with
   * `single` it replaces the previous one.
   * @throws HostError `credential_user_unproven` (500) if the login has not verified the user yet
   */
  create(type: string, input: Json, options?: { readonly label?: string }): Promise<OwnCredential>;
  /**
   * Removes a credential, with the event `REMOVE_CREDENTIAL`.
   * @returns true if the credential existed
   * @throws HostError as `create`
   */
  remove(type: string, id: string): Promise<boolean>;
}
