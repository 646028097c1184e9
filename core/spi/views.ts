import type { JsonObject } from './json-schema.js';

/** A realm, as a provider sees it. Plain and frozen. */
export interface RealmView {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly enabled: boolean;
  /** The realm's address, `{base}/realms/{realm}`: the `iss` of its tokens. */
  readonly issuer: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A client, as a provider sees it. Never its secret. */
export interface ClientView {
  /** Keycloak's internal id. */
  readonly id: string;
  readonly clientId: string;
  readonly name?: string;
  readonly enabled: boolean;
  readonly publicClient: boolean;
  readonly bearerOnly: boolean;
  readonly serviceAccountsEnabled: boolean;
  /** Without the secret before and private keys. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A user, as a provider sees it. Never credentials. */
export interface UserView {
  readonly id: string;
  readonly username: string;
  readonly email?: string;
  readonly emailVerified: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly enabled: boolean;
  /** Milliseconds since the epoch. */
  readonly createdTimestamp?: number;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Set on the user behind a client's service account: that client's internal id. */
  readonly serviceAccountClientId?: string;
}

/** An account at an identity provider where the user has just signed in (Keycloak's BrokeredIdentityContext). */
export interface BrokeredIdentity {
  /** The provider's alias. */
  readonly identityProvider: string;
  readonly displayName: string;
  /** The account's id there. */
  readonly id: string;
  /** The username that a new user here would get. */
  readonly username: string;
  readonly email?: string;
  /** True when the realm trusts what the provider says of the address, and the user has not changed it. */
  readonly emailVerified: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  /** True if the user asked to review the data from the provider. */
  readonly review: boolean;
  /** What the provider said: claims of the ID token, then of its userinfo. */
  readonly claims: JsonObject;
}

/** Who is calling, once `session.authenticate()` has checked the credentials. */
export interface Principal {
  /** `client`: client credentials in the request; `token`: a bearer access token of this realm. */
  readonly kind: 'client' | 'token';
  /** `client_id` of the client, or `azp` of the token. */
  readonly clientId: string;
  /** The user of the token, or the client's service account where it has one. */
  readonly userId?: string;
  readonly realmRoles: readonly string[];
  /** Role names by `client_id`. */
  readonly clientRoles: Readonly<Record<string, readonly string[]>>;
  /** The scopes of the token; empty for client credentials. */
  readonly scopes: readonly string[];
}

/** An event as Keycloak stores it. */
export interface Event {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** Keycloak's event type, with the suffix `_ERROR` on failure. */
  readonly type: string;
  readonly realmId: string;
  readonly realmName: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly ipAddress?: string;
  /** Keycloak's error code, on `_ERROR` events. */
  readonly error?: string;
  readonly details: Readonly<Record<string, string>>;
}

/** An event of the Admin REST API. */
export interface AdminEvent {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly realmId: string;
  readonly realmName: string;
  readonly operationType: 'CREATE' | 'UPDATE' | 'DELETE' | 'ACTION';
  readonly resourceType: string;
  readonly resourcePath: string;
  readonly authDetails: Readonly<{ realmId: string; clientId: string; userId: string; ipAddress: string }>;
  readonly representation?: JsonObject;
  /**
   * What the path does not name, such as `username` and `email` of a user who joins a group. Stored also if the realm stores no
   * representations. Default: absent.
   */
  readonly details?: Readonly<Record<string, string>>;
  readonly error?: string;
}
