import { CLIENT_POLICY_EVENTS, type ClientPolicyEvent } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/** Keycloak's ClientPolicyEvent, as far as a request of a client is one. */
export type RequestEvent = Exclude<ClientPolicyEvent, 'REGISTER' | 'UPDATE'>;

export const REQUEST_EVENTS = CLIENT_POLICY_EVENTS.filter((event) => event !== 'REGISTER' && event !== 'UPDATE');

/** A client asks for something. */
export interface PolicyClientRequest {
  readonly event: RequestEvent;
  readonly client: Client;
  /** The realm's issuer at the address of the request. */
  readonly issuer: string;
  /** Names of the scopes that are asked for, separated by blanks. */
  readonly scope: string | undefined;
  /** For an authorization request: its redirect URI. */
  readonly redirectUri?: string;
  readonly parameter: (name: string) => string | undefined;
  /** All parameters. Absent if the request has none that policies see. */
  readonly parameters?: () => Iterable<readonly [name: string, value: string]>;
  /** IP address of the sender. */
  readonly ip: string;
  /** The levels of authentication that an authorization request asks for by name, or its client by default. */
  readonly levels?: readonly string[];
  /** For a pushed authorization request (RFC 9126): names of the parameters in addition to its `request_uri`. */
  readonly pushed?: { readonly beside: readonly string[] };
  /** The alias of the identity provider whose tokens are read. */
  readonly identityProvider?: string;
  /** Absent if the endpoint does not support them. */
  readonly effects?: Partial<RequestEffects>;
}

/** Effects of executors on a request, other than refusing it. */
export interface RequestEffects {
  /** Makes the client's secret expire this many seconds from now. */
  endSecret(seconds: number): void;
  /** Issue a lightweight access token. */
  lighten(): void;
  /** Returns no refresh token: the client keeps its present one. */
  withholdRefreshToken(): void;
  /** The tokens are of no other client scopes than these, by name. */
  narrowScope(names: readonly string[]): void;
  /**
   * Requires this flow, and no other, for the login.
   * @param level the authentication level that the flow reaches
   */
  chooseFlow(alias: string, level: number | undefined): void;
}

/** The caller that creates or changes a client. */
export interface Updater {
  /** Keycloak's words for how they came. */
  readonly context: 'ByAuthenticatedUser' | 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
  /** Names of the roles that the user was given; empty for who holds a token without a user. */
  readonly roles: readonly string[];
  /** Names of the groups that the user is in. */
  readonly groups: readonly string[];
  /** IP address of the sender. */
  readonly ip: string;
}

/** A client is created, or changed. */
export interface ClientChange {
  readonly event: 'REGISTER' | 'UPDATE';
  /** As it is going to be. Executors may change it. */
  readonly client: ClientRepresentation;
  /** As it was. Absent for a new one. */
  readonly before?: ClientRepresentation;
  /** The sent members. */
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
