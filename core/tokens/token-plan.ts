import type { GrantResult, JsonObject } from '@keyhost/spi';
import type { Client, ScopeSelection } from '../model/client.js';
import type { User } from '../model/user.js';
import type { RefreshTokenIds } from '../sessions/token-sessions.js';
import type { ClientSessionRecord, UserSessionRecord } from '../store/store.js';
import type { GrantLimits } from './grant-limits.js';

/**
 * The tokens to issue, complete to the last claim. Built-in grants return a plan, and the token endpoint executes it.
 */
export interface TokenPlan {
  readonly client: Client;
  readonly user: User;
  readonly selection: ScopeSelection;
  /**
   * Keycloak's abbreviation of the grant in the `jti` of an access token: `ac`, `cc`, `dg`, `ro`, `rt`, `te`; `na`: a
   * plugin's.
   */
  readonly grant: string;
  /** Undefined if a refresh token of an earlier version did not store it. */
  readonly granted: GrantLimits | undefined;
  /** Absent for a transient session, which has no refresh token. */
  readonly session?: UserSessionRecord;
  readonly clientSession?: ClientSessionRecord;
  /** The notes of a transient session, for mappers. */
  readonly notes?: Readonly<Record<string, string>>;
  /** The IDs of the refresh token to issue; absent: none. */
  readonly refresh?: RefreshTokenIds;
  /**
   * Uses up the presented refresh token and returns the IDs of the next one. Called last, when nothing can refuse the
   * request any more.
   */
  readonly rotate?: () => Promise<RefreshTokenIds>;
  /** Additional members of the response. */
  readonly response?: JsonObject;
  readonly idToken: boolean;
  /** The `nonce` of the authorization request, for the ID token. */
  readonly nonce?: string;
  /**
   * True if the ID token replaces the access token in the response: a standard token exchange requested an ID token.
   */
  readonly idTokenAlone?: boolean;
  readonly details?: Readonly<Record<string, string>>;
  /** Issue a lightweight access token, even if the client's setting does not ask for it. */
  readonly lightweight?: boolean;
  /** True if the response has no refresh token, even if the request used one up. */
  readonly withholdRefreshToken?: boolean;
}

/** The result of a built-in grant. A class, so that a plugin's result cannot imitate it. */
class PlannedGrant implements GrantResult {
  readonly plan: TokenPlan;
  readonly userId: string;
  readonly login: GrantResult['login'];

  constructor(plan: TokenPlan) {
    this.plan = plan;
    this.userId = plan.user.id;
    this.login = plan.session === undefined ? 'transient' : 'session';
  }
}

export function planTokens(value: TokenPlan): GrantResult {
  return new PlannedGrant(value);
}

/** The plan of a built-in grant; undefined for a plugin's result. */
export function tokenPlanOf(result: GrantResult): TokenPlan | undefined {
  return result instanceof PlannedGrant ? result.plan : undefined;
}
