import type { JsonObject } from '@keyhost/spi';

/**
 * What a grant gave: it travels in each refresh token that comes of it, and each refresh gives that and no more. The scope is
 * a claim of its own there. It is not of the client session, which other logins of the client share.
 */
export interface Granted {
  /** The `grant_type` that gave it: what that one asks for is asked for again. */
  readonly by: string;
  /** Direct naked impersonation: exactly this scope and audience, `act`, and nothing that mappers say. */
  readonly exact?: Impersonation;
  /** Standard token exchange: `aud` and client roles are reduced to these. */
  readonly audience?: readonly string[];
  /** No client scopes but these, by name: a client policy has it so. */
  readonly within?: readonly string[];
  /** More claims of the access token, from a plugin's grant. */
  readonly claims?: JsonObject;
}

export interface Impersonation {
  readonly scope: string;
  readonly audience: string;
  readonly actor: JsonObject;
}
