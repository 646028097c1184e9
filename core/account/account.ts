import type { Exchange } from '../http/exchange.js';
import type { RequestEvent, RequestEvents } from '../http/request-events.js';
import { levelForCredentialChange, levelOfSession } from '../login/flows/levels.js';
import { wasImpersonated } from '../login/impersonation.js';
import type { SessionEnder } from '../login/logout/session-ender.js';
import { ACCOUNT_CONSOLE } from '../model/built-in-names.js';
import type { Clock } from '../model/clock.js';
import type { User } from '../model/user.js';
import type { Pages } from '../pages/pages.js';
import { levelsOf } from '../realms/flows/flow-levels.js';
import { flowOf } from '../realms/flows/flow-model.js';
import type { BrowserSession } from '../sessions/browser-sessions.js';
import type { Store, UserSessionRecord } from '../store/store.js';
import type { CredentialTypes } from '../users/credentials/credential-types.js';
import type { PluginValidators } from '../users/profile/plugin-validators.js';
import type { Users } from '../users/users.js';

/** The services behind all account operations. */
export interface AccountParts {
  readonly users: Users;
  readonly credentialTypes: CredentialTypes;
  readonly validators: PluginValidators;
  readonly store: Store;
  readonly clock: Clock;
  readonly events: RequestEvents;
  readonly pages: Pages;
  readonly sessionEnder: SessionEnder;
}

/** Keycloak's roles of the client `account` that are checked here. */
export type AccountRole =
  | 'delete-account'
  | 'manage-account'
  | 'manage-account-links'
  | 'manage-consent'
  | 'view-applications'
  | 'view-consent'
  | 'view-profile';

/**
 * The signed-in user and session of a request to the account pages or the Account REST API. Operations must not
 * identify the user in any other way.
 */
export interface AccountContext {
  readonly exchange: Exchange;
  readonly user: User;
  /** The session of the request; absent for a token without a session. */
  readonly session: UserSessionRecord | undefined;
  readonly roles: ReadonlySet<string>;
  /** The client ID of the events. */
  readonly clientId: string;
}

/**
 * Age of a login in seconds beyond which users must sign in again before they change their credentials (Keycloak's
 * default).
 */
export const MAX_LOGIN_AGE_SECONDS = 300;

export function hasAnyRole({ roles }: AccountContext, ...accepted: readonly AccountRole[]): boolean {
  return accepted.some((role) => roles.has(role));
}

/**
 * True if the login is recent enough, and used all factors that the user has. Required for changes that could lock the
 * user out or give others access.
 */
export function isRecentLogin(
  { clock, credentialTypes }: Pick<AccountParts, 'clock' | 'credentialTypes'>,
  { session, user, exchange }: Pick<AccountContext, 'session' | 'user' | 'exchange'>,
): boolean {
  if (session === undefined || wasImpersonated(session)) return false;
  const { realm } = exchange;
  const now = Math.floor(clock.now() / 1000);
  const client = realm.clients.get(ACCOUNT_CONSOLE);
  const levels = client === undefined ? [] : levelsOf(flowOf(realm, client, 'browser'));
  if (levelOfSession(levels, session, now) < levelForCredentialChange({ types: credentialTypes, realm, levels }, user))
    return false;
  return now - (session.authTime ?? Math.floor(session.startedAt / 1000)) <= MAX_LOGIN_AGE_SECONDS;
}

/** Emits an event about an action of the user. */
export function emitAccountEvent(
  { events }: Pick<AccountParts, 'events'>,
  account: AccountContext,
  type: string,
  details: Readonly<Record<string, string>> = {},
  sessionId: string | undefined = account.session?.id,
): void {
  events.emit(account.exchange, accountEvent(account, type, details, sessionId));
}

/**
 * Runs a security-relevant change (credentials, linked identities, email address), and stores its event in the same
 * transaction.
 * @param details called just before the change is written; if it returns undefined, nothing changes and no event is
 * stored
 */
export function emitAccountEventWithChange<T>(
  { events }: Pick<AccountParts, 'events'>,
  account: AccountContext,
  type: string,
  details: () => Readonly<Record<string, string>> | undefined,
  change: () => Promise<T>,
): Promise<T> {
  const { exchange, session } = account;
  return events.emitWithChange(
    exchange,
    () => {
      const eventDetails = details();
      return eventDetails && accountEvent(account, type, eventDetails, session?.id);
    },
    change,
  );
}

function accountEvent(
  { user, clientId }: AccountContext,
  type: string,
  details: Readonly<Record<string, string>>,
  sessionId: string | undefined,
): RequestEvent {
  return { type, clientId, userId: user.id, sessionId, details };
}

/** The user's roles of the client `account`. */
export function accountRoles({ realm }: Exchange, { user }: Pick<BrowserSession, 'user'>): ReadonlySet<string> {
  return new Set(user.roleNames(realm).clients.account ?? []);
}
