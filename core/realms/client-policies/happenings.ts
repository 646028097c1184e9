import { CLIENT_POLICY_EVENTS, type ClientPolicyEvent } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/** Keycloak's ClientPolicyEvent, as far as a request of a client is one. */
export type RequestEvent = Exclude<ClientPolicyEvent, 'REGISTER' | 'UPDATE'>;

export const REQUEST_EVENTS = CLIENT_POLICY_EVENTS.filter((event) => event !== 'REGISTER' && event !== 'UPDATE');

/** A client asks for something. */
export interface ClientRequest {
  readonly event: RequestEvent;
  readonly client: Client;
  /** Of the realm, as the request reached it. */
  readonly issuer: string;
  /** Names of the scopes that are asked for, separated by blanks. */
  readonly scope: string | undefined;
  /** Of an authorization request: where its answer goes. */
  readonly redirectUri?: string;
  readonly parameter: (name: string) => string | undefined;
  /** All of them. Absent where a request has none that policies see. */
  readonly parameters?: () => Iterable<readonly [name: string, value: string]>;
  /** Where it comes from: an IP address. */
  readonly ip: string;
  /** The levels of authentication that an authorization request asks for by name, or its client by default. */
  readonly levels?: readonly string[];
  /** Of an authorization request that was pushed (RFC 9126): names of the parameters that came beside its `request_uri`. */
  readonly pushed?: { readonly beside: readonly string[] };
  /** The alias of the identity provider whose tokens are read. */
  readonly identityProvider?: string;
  /** Absent where nobody would see to them. */
  readonly effects?: Partial<RequestEffects>;
}

/** What executors have a request come to, beside refusing it. */
export interface RequestEffects {
  /** The secret of the client ends so many seconds from now. */
  endSecret(seconds: number): void;
  /** The access token says little. */
  lighten(): void;
  /** The answer has no refresh token: the client keeps the one that it has. */
  withholdRefreshToken(): void;
  /** The tokens are of no other client scopes than these, by name. */
  narrowScope(names: readonly string[]): void;
  /**
   * The login goes through this flow, and through no other.
   * @param level of authentication that whoever comes through has reached
   */
  chooseFlow(alias: string, level: number | undefined): void;
}

/** Who creates or changes a client. */
export interface Updater {
  /** Keycloak's words for how they came. */
  readonly context: 'ByAuthenticatedUser' | 'ByAnonymous' | 'ByInitialAccessToken' | 'ByRegistrationAccessToken';
  /** Names of the roles that the user was given; empty for who holds a token without a user. */
  readonly roles: readonly string[];
  /** Names of the groups that the user is in. */
  readonly groups: readonly string[];
  /** Where the request comes from: an IP address. */
  readonly ip: string;
}

/** A client is created, or changed. */
export interface ClientChange {
  readonly event: 'REGISTER' | 'UPDATE';
  /** As it is going to be. Executors may change it. */
  readonly client: ClientRepresentation;
  /** As it was. Absent for a new one. */
  readonly before?: ClientRepresentation;
  /** What was sent of it. */
  readonly sent: {
    readonly clientAuthenticatorType?: string | null | undefined;
    readonly fullScopeAllowed?: boolean | null | undefined;
    readonly webOrigins?: readonly string[] | null | undefined;
  };
  readonly realm: RealmRepresentation;
  readonly updater: Updater;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Has the token stay good by which a client changes its own registration. Absent where nobody would see to it. */
  readonly keepRegistrationToken?: () => void;
}
