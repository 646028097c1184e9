import { notFound } from '../../http/not-found.js';
import type { Account, AccountParts } from '../account.js';
import { endOwnSession, endOwnSessions, type OwnSession, ownSessions } from '../devices/user-sessions.js';
import type { RestOperation } from './rest-call.js';

export function sessionOperations(parts: AccountParts): RestOperation[] {
  const seeing = { method: 'GET', roles: ['view-profile', 'manage-account'] } as const;
  const ending = { method: 'DELETE', roles: ['manage-account'] } as const;
  return [
    {
      ...seeing,
      path: '/sessions',
      handle: async (account) => ({ body: (await online(parts, account)).map(shownSession) }),
    },
    {
      ...seeing,
      path: '/sessions/devices',
      handle: async (account) => ({ body: devicesOf(await online(parts, account)) }),
    },
    {
      ...ending,
      path: '/sessions',
      async handle(account, { query }) {
        await endOwnSessions(parts, account, { current: query.get('current') === 'true' });
        return undefined;
      },
    },
    {
      ...ending,
      path: '/sessions/{id}',
      async handle(account, { params }) {
        if (!(await endOwnSession(parts, account, { id: params.id ?? '', offline: false }))) throw notFound();
        return undefined;
      },
    },
  ];
}

function online(parts: AccountParts, account: Account): Promise<OwnSession[]> {
  return ownSessions(parts, account, { offline: false });
}

/**
 * Keycloak's DeviceRepresentation: groups the sessions of one browser at one IP address, and those that a client
 * started in the user's name. As on the account page, `device` is then the client's name. Times in seconds.
 */
function devicesOf(sessions: readonly OwnSession[]): object[] {
  const devices = new Map<string, OwnSession[]>();
  for (const session of sessions) {
    const { os, osVersion, browser } = session.device;
    const ofBrowser = [os, osVersion, browser, session.record.ipAddress];
    const key = JSON.stringify(session.begunBy === undefined ? ofBrowser : [session.begunBy.clientId]);
    devices.set(key, [...(devices.get(key) ?? []), session]);
  }
  return [...devices.values()].map((of) => {
    const [latest] = [...of].sort((a, b) => b.record.lastRefresh - a.record.lastRefresh);
    const { os, osVersion, browser, mobile } = latest?.device ?? {};
    const { begunBy } = latest ?? {};
    return {
      os,
      osVersion,
      browser,
      mobile,
      device: begunBy?.name || begunBy?.clientId || 'Other',
      ipAddress: latest?.record.ipAddress,
      lastAccess: seconds(latest?.record.lastRefresh ?? 0),
      current: of.some(({ current }) => current),
      sessions: of.map(shownSession),
    };
  });
}

/** Keycloak's SessionRepresentation. */
function shownSession({ record, device, clients, current, expiresAt }: OwnSession): object {
  return {
    id: record.id,
    ipAddress: record.ipAddress,
    started: seconds(record.startedAt),
    lastAccess: seconds(record.lastRefresh),
    expires: seconds(expiresAt),
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

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
