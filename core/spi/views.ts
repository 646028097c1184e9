import type { JsonObject } from './json-schema.js';

/** A realm, as a provider sees it: plain data, frozen. */
export interface RealmView {
  readonly id: string;
  readonly name: string;
  readonly displayName?: string;
  readonly enabled: boolean;
  /** The realm's URL, `{base}/realms/{realm}`: the `iss` of its tokens. */
  readonly issuer: string;
  /** The attributes of the realm by name. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A client, as a provider sees it, without its secret. */
export interface ClientView {
  /** Keycloak's internal id. */
  readonly id: string;
  readonly clientId: string;
  readonly name?: string;
  readonly enabled: boolean;
  readonly publicClient: boolean;
  readonly bearerOnly: boolean;
  readonly serviceAccountsEnabled: boolean;
  /** Attributes, without previous secrets and private keys. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A user, as a provider sees it, without credentials. */
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
  /** The values of the attributes by name. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Set for the user of a client's service account: the client's internal ID. */
  readonly serviceAccountClientId?: string;
}

/** The identity that an identity provider has just confirmed for the user (Keycloak's BrokeredIdentityContext). */
export interface BrokeredIdentity {
  /** The provider's alias. */
  readonly identityProvider: string;
  readonly displayName: string;
  /** The user's ID at the provider. */
  readonly id: string;
  /** The username that a new user in this realm would get. */
  readonly username: string;
  readonly email?: string;
  /** True if the realm trusts the provider's statement about the address, and the user has not changed it. */
  readonly emailVerified: boolean;
  readonly firstName?: string;
  readonly lastName?: string;
  /** True if the user asked to review the data from the provider. */
  readonly review: boolean;
  /** Claims of the ID token and of the userinfo response. */
  readonly claims: JsonObject;
}

/** The caller that `session.authenticate()` has authenticated. */
export interface Principal {
  /** `client`: client credentials in the request; `token`: a bearer access token of this realm. */
  readonly kind: 'client' | 'token';
  /** `client_id` of the client, or `azp` of the token. */
  readonly clientId: string;
  /** The user of the token, or the client's service account if it has one. */
  readonly userId?: string;
  /** Names of realm roles. */
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
  /** Details of the event by name, as in Keycloak. */
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
  /** Keycloak's resource type, such as `USER`. */
  readonly resourceType: string;
  /** The path of the resource in the Admin REST API, such as `users/{id}`. */
  readonly resourcePath: string;
  /** The admin and the client that made the call. */
  readonly authDetails: Readonly<{ realmId: string; clientId: string; userId: string; ipAddress: string }>;
  /** The body of the change, with secrets masked. */
  readonly representation?: JsonObject;
  /**
   * Details that the path does not contain, such as `username` and `email` of a user who joins a group. Stored even if
   * the realm stores no representations.
   */
  readonly details?: Readonly<Record<string, string>>;
  /** Keycloak's error code, if the operation failed. */
  readonly error?: string;
}
