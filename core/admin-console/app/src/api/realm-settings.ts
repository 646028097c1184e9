import { queryOptions } from '@tanstack/react-query';
import { encodeSegment } from '../address.ts';
import { request, requestTagged } from './request.ts';

/** Texts, as Keycloak exports them; secrets are masked. */
export type MailServer = Readonly<Record<string, string>>;

/** Keycloak's RealmRepresentation, limited to the members that the admin console uses. */
export interface RealmSettings {
  readonly id: string;
  readonly realm: string;
  readonly displayName?: string;
  readonly enabled: boolean;
  readonly sslRequired: string;

  readonly registrationAllowed: boolean;
  readonly resetPasswordAllowed: boolean;
  readonly rememberMe: boolean;
  readonly registrationEmailAsUsername: boolean;
  readonly loginWithEmailAllowed: boolean;
  readonly duplicateEmailsAllowed: boolean;
  readonly verifyEmail: boolean;
  readonly editUsernameAllowed: boolean;

  readonly smtpServer: MailServer;

  readonly eventsEnabled: boolean;
  readonly eventsExpiration: number;
  readonly adminEventsEnabled: boolean;
  readonly adminEventsDetailsEnabled: boolean;

  readonly bruteForceProtected: boolean;
  readonly permanentLockout: boolean;
  readonly maxTemporaryLockouts: number;
  readonly maxSecondaryAuthFailures: number;
  readonly bruteForceStrategy: string;
  readonly failureFactor: number;
  readonly waitIncrementSeconds: number;
  readonly maxFailureWaitSeconds: number;
  readonly maxDeltaTimeSeconds: number;
  readonly quickLoginCheckMilliSeconds: number;
  readonly minimumQuickLoginWaitSeconds: number;

  readonly ssoSessionIdleTimeout: number;
  readonly ssoSessionMaxLifespan: number;
  readonly ssoSessionIdleTimeoutRememberMe: number;
  readonly ssoSessionMaxLifespanRememberMe: number;
  readonly clientSessionIdleTimeout: number;
  readonly clientSessionMaxLifespan: number;
  readonly offlineSessionIdleTimeout: number;
  readonly offlineSessionMaxLifespanEnabled: boolean;
  readonly offlineSessionMaxLifespan: number;
  readonly accessCodeLifespanLogin: number;

  readonly defaultSignatureAlgorithm: string;
  readonly oauth2DeviceCodeLifespan: number;
  readonly oauth2DevicePollingInterval: number;
  readonly revokeRefreshToken: boolean;
  readonly refreshTokenMaxReuse: number;
  readonly accessTokenLifespan: number;
  readonly accessCodeLifespan: number;
  readonly actionTokenGeneratedByUserLifespan: number;
  readonly actionTokenGeneratedByAdminLifespan: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * Absent members stay unchanged. `smtpServer` replaces the whole object, except for secrets that are sent as the mask.
 */
export type RealmChange = {
  readonly [M in Exclude<keyof RealmSettings, 'id' | 'realm' | 'attributes'>]?: RealmSettings[M] | null;
} & { readonly attributes?: Readonly<Record<string, string | null>> };

const READERS = ['view-realm', 'manage-realm'];
const WRITERS = ['manage-realm'];
/** For realm admins with all rights: an admin who can set the mail server could read every mailed link. */
const ALL_RIGHTS = ['realm-admin'];

const realmPath = (realm: string) => `/realms/${encodeSegment(realm)}`;

/** @returns without `sslRequired` and the members after it if the user may not view the settings */
export function realmSettings(realm: string) {
  return queryOptions({
    queryKey: ['realm', realm, 'settings'],
    queryFn: ({ signal }) =>
      requestTagged<RealmSettings | Pick<RealmSettings, 'id' | 'realm' | 'enabled'>>(realmPath(realm), {
        roles: READERS,
        signal,
      }),
  });
}

export function changeRealm(
  realm: string,
  { change, ifMatch }: { change: RealmChange; ifMatch: string | undefined },
): Promise<void> {
  const roles = change.smtpServer === undefined ? WRITERS : ALL_RIGHTS;
  return request(realmPath(realm), { method: 'PUT', body: change, ifMatch, roles });
}

/** Deletes the realm if it has not changed since it was shown. */
export function removeRealm(realm: string, ifMatch: string | undefined): Promise<void> {
  return request(realmPath(realm), { method: 'DELETE', ifMatch, roles: WRITERS });
}

/** Sends an email through a mail server that need not be saved. @param to empty for the address of the user */
export function sendTestMail(realm: string, { server, to }: { server: MailServer; to: string }): Promise<void> {
  const path = `${realmPath(realm)}/testSMTPConnection`;
  return request(path, { method: 'POST', query: { to }, body: server, roles: ALL_RIGHTS });
}
