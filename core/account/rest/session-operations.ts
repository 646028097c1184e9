import { notFound } from '../../http/not-found.js';
import type { AccountContext, AccountParts } from '../account.js';
import { type AccountUserSession, endSession, endSessions, listSessions } from '../devices/user-sessions.js';
import type { RestOperation } from './rest-endpoint.js';

export function sessionOperations(parts: AccountParts): RestOperation[] {
  const readOperation = { method: 'GET', roles: ['view-profile', 'manage-account'] } as const;
  const deleteOperation = { method: 'DELETE', roles: ['manage-account'] } as const;
  return [
    {
      ...readOperation,
      path: '/sessions',
      handle: async (account) => ({ body: (await onlineSessions(parts, account)).map(sessionRepresentation) }),
    },
    {
      ...readOperation,
      path: '/sessions/devices',
      handle: async (account) => ({ body: deviceRepresentations(await onlineSessions(parts, account)) }),
    },
    {
      ...deleteOperation,
      path: '/sessions',
      async handle(account, { query }) {
        await endSessions(parts, account, { current: query.get('current') === 'true' });
        return undefined;
      },
    },
    {
      ...deleteOperation,
      path: '/sessions/{id}',
      async handle(account, { params }) {
        if (!(await endSession(parts, account, { id: params.id ?? '', offline: false }))) throw notFound();
        return undefined;
      },
    },
  ];
}

function onlineSessions(parts: AccountParts, account: AccountContext): Promise<AccountUserSession[]> {
  return listSessions(parts, account, { offline: false });
}

/**
 * Keycloak's DeviceRepresentation. A device groups the sessions of one browser at one IP address, or those that one
 * client started in the user's name. As on the account page, `device` is then the client's name. Times are in seconds.
 */
function deviceRepresentations(sessions: readonly AccountUserSession[]): object[] {
  const devices = new Map<string, AccountUserSession[]>();
  for (const session of sessions) {
    const { os, osVersion, browser } = session.device;
    const browserKey = [os, osVersion, browser, session.record.ipAddress];
    const key = JSON.stringify(session.startedBy === undefined ? browserKey : [session.startedBy.clientId]);
    devices.set(key, [...(devices.get(key) ?? []), session]);
  }
  return [...devices.values()].map((sessionsOfDevice) => {
    const [latest] = [...sessionsOfDevice].sort((a, b) => b.record.lastRefresh - a.record.lastRefresh);
    const { os, osVersion, browser, mobile } = latest?.device ?? {};
    const { startedBy } = latest ?? {};
    return {
      os,
      osVersion,
      browser,
      mobile,
      device: startedBy?.name || startedBy?.clientId || 'Other',
      ipAddress: latest?.record.ipAddress,
      lastAccess: toSeconds(latest?.record.lastRefresh ?? 0),
      current: sessionsOfDevice.some(({ current }) => current),
      sessions: sessionsOfDevice.map(sessionRepresentation),
    };
  });
}

/** Keycloak's SessionRepresentation. Times are in seconds. */
function sessionRepresentation({ record, device, clients, current, expiresAt }: AccountUserSession): object {
  return {
    id: record.id,
    ipAddress: record.ipAddress,
    started: toSeconds(record.startedAt),
    lastAccess: toSeconds(record.lastRefresh),
    expires: toSeconds(expiresAt),
    clients: clients.map((client) => ({
      clientId: client.clientId,
      clientName: client.name ?? '',
      userConsentRequired: client.consentRequired,
      inUse: true,
      offlineAccess: false,
    })),
    browser: device.browser,
    current,
  };
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
