import type { JsonObject } from '@keyhost/spi';

/**
 * The limits of a grant. They are stored in each refresh token that results from it, and no refresh exceeds them. The
 * scope is a separate claim there. The client session cannot hold them, because other logins of the client share it.
 */
export interface GrantLimits {
  /** The `grant_type`, whose conditions are checked again. */
  readonly by: string;
  /** Direct naked impersonation: exactly this scope and audience, `act`, and no claims of mappers. */
  readonly exact?: Impersonation;
  /** Standard token exchange: `aud` and client roles are limited to these. */
  readonly audience?: readonly string[];
  /** Names of the only client scopes that a client policy allows. */
  readonly within?: readonly string[];
  /** Additional claims of the access token, from a plugin's grant. */
  readonly claims?: JsonObject;
}

export interface Impersonation {
  readonly scope: string;
  readonly audience: string;
  readonly actor: JsonObject;
}
