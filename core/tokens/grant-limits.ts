import type { JsonObject } from '@keyhost/spi';

/**
 * The limits of a grant. They are stored in each refresh token that results from it, and no refresh exceeds them. The
 * scope is not among them: it is a claim of the refresh token. The client session cannot store the limits, because
 * other logins of the client share it.
 */
export interface GrantLimits {
  /** The `grant_type` of the original request. Each refresh checks again that it is allowed. */
  readonly by: string;
  /** Direct naked impersonation: the token has exactly this scope, audience and actor, and no claims of mappers. */
  readonly exact?: Impersonation;
  /** Standard token exchange: `aud` and client roles are limited to these. */
  readonly audience?: readonly string[];
  /** Names of the client scopes that a client policy allows; absent: all. */
  readonly within?: readonly string[];
  /** Additional claims of the access token, from a plugin's grant. */
  readonly claims?: JsonObject;
}

export interface Impersonation {
  readonly scope: string;
  readonly audience: string;
  readonly actor: JsonObject;
}
