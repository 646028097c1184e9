import { CLIENT_POLICY_EVENTS, type ClientPolicyEvent } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/** Those of Keycloak's ClientPolicyEvents that are requests of clients. */
export type RequestEvent = Exclude<ClientPolicyEvent, 'REGISTER' | 'UPDATE'>;

export const REQUEST_EVENTS = CLIENT_POLICY_EVENTS.filter((event) => event !== 'REGISTER' && event !== 'UPDATE');

/** A request of a client that policies evaluate. */
export interface PolicyClientRequest {
  readonly event: RequestEvent;
  readonly client: Client;
  /** The realm's issuer at the address of the request. */
  readonly issuer: string;
  /** The requested scopes, separated by blanks. */
  readonly scope: string | undefined;
  /** For an authorization request: its redirect URI. */
  readonly redirectUri?: string;
  readonly parameter: (name: string) => string | undefined;
  /** All parameters. Absent if the request has none that policies see. */
  readonly parameters?: () => Iterable<readonly [name: string, value: string]>;
  /** IP address of the sender. */
  readonly ip: string;
  /**
   * The names of the authentication levels that an authorization request asks for, or else the client's default ones.
   */
  readonly levels?: readonly string[];
  /**
   * For an authorization request that was pushed (RFC 9126): the names of its other parameters, besides `request_uri`.
   */
  readonly pushed?: { readonly otherParameters: readonly string[] };
  /** The alias of the identity provider whose tokens are read. */
  readonly identityProvider?: string;
  /** Absent if the endpoint does not support them. */
  readonly effects?: Partial<RequestEffects>;
}

/** Effects of executors on a request, other than refusing it. */
export interface RequestEffects {
  /** Makes the client's secret expire this many seconds from now. */
  endSecret(seconds: number): void;
  /** Issues a lightweight access token. */
  lighten(): void;
  /** Returns no refresh token: the client keeps its present one. */
  withholdRefreshToken(): void;
  /** Limits the tokens to these client scopes. */
  narrowScope(names: readonly string[]): void;
  /**
   * Requires this flow, and no other, for the login.
   * @param level the authentication level that the flow reaches
   */
  chooseFlow(alias: string, level: number | undefined): void;
}

/** The caller that creates or changes a client. */
export interface Updater {
  /** How the caller is authenticated, in Keycloak's words. */
  readonly context: 'ByAuthenticatedUser' | 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
  /** The names of the roles that the user was given; empty for a token without a user. */
  readonly roles: readonly string[];
  /** Names of the groups that the user is in. */
  readonly groups: readonly string[];
  /** IP address of the sender. */
  readonly ip: string;
}

/** A creation or a change of a client. */
export interface ClientChange {
  readonly event: 'REGISTER' | 'UPDATE';
  /** The client after the change. Executors may modify it. */
  readonly client: ClientRepresentation;
  /** The client before the change; absent for a new one. */
  readonly before?: ClientRepresentation;
  /** The members of the request that executors read. */
  readonly sent: {
    readonly clientAuthenticatorType?: string | null | undefined;
    readonly fullScopeAllowed?: boolean | null | undefined;
    readonly webOrigins?: readonly string[] | null | undefined;
  };
  readonly realm: RealmRepresentation;
  readonly updater: Updater;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Keeps the registration access token valid (no rotation). Absent if rotation does not apply. */
  readonly keepRegistrationToken?: () => void;
}
