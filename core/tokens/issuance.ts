import type { GrantResult, JsonObject } from '@keyhost/spi';
import type { Client, ScopeSelection } from '../model/client.js';
import type { User } from '../model/user.js';
import type { RefreshTokenIds } from '../sessions/token-sessions.js';
import type { ClientSessionRecord, UserSessionRecord } from '../store/store.js';
import type { Granted } from './granted.js';

/** Which tokens to make, decided to the last claim: what a built-in grant returns and the endpoint carries out. */
export interface Issuance {
  readonly client: Client;
  readonly user: User;
  readonly selection: ScopeSelection;
  /** Keycloak's letters of the grant in the `jti` of an access token: `ac`, `cc`, `dg`, `ro`, `rt`, `te`; `na`: a plugin's. */
  readonly grant: string;
  /** Undefined for refresh tokens of before it was written. */
  readonly granted: Granted | undefined;
  /** Absent: a transient session, and so no refresh token. */
  readonly session?: UserSessionRecord;
  readonly clientSession?: ClientSessionRecord;
  /** What mappers read as the notes of a transient session. */
  readonly notes?: Readonly<Record<string, string>>;
  /** The refresh token to make, when one is to be made. */
  readonly refresh?: RefreshTokenIds;
  /** Uses up the refresh token that was shown, once nothing else can be refused: what it is called for is then made. */
  readonly rotate?: () => Promise<RefreshTokenIds>;
  /** More members of the answer. */
  readonly response?: JsonObject;
  readonly idToken: boolean;
  /** The `nonce` of the authorization request, for the ID token. */
  readonly nonce?: string;
  /** Standard exchange for an ID token: it takes the access token's place in the answer. */
  readonly idTokenAlone?: boolean;
  readonly details?: Readonly<Record<string, string>>;
  /** The access token says little, whatever the client says. */
  readonly lightweight?: boolean;
  /** The answer has no refresh token, even where one was used up. */
  readonly withholdRefreshToken?: boolean;
}

/** What a built-in grant returns: a class, so that no plugin's result can pass for it. */
class Planned implements GrantResult {
  readonly issuance: Issuance;
  readonly userId: string;
  readonly login: GrantResult['login'];

  constructor(issuance: Issuance) {
    this.issuance = issuance;
    this.userId = issuance.user.id;
    this.login = issuance.session === undefined ? 'transient' : 'session';
  }
}

export function issuance(value: Issuance): GrantResult {
  return new Planned(value);
}

/** The plan of a built-in grant; undefined for a plugin's result. */
export function plannedIssuance(result: GrantResult): Issuance | undefined {
  return result instanceof Planned ? result.issuance : undefined;
}
