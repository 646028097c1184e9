import type {
  ClientSessionRecord,
  FamilyRecord,
  KeyRecord,
  SessionKey,
  UserRecord,
  UserSessionRecord,
} from '../../core/store/store.js';

export const REALM = 'library';
export const NOW = 1_800_000_000_000;
export const HOUR = 3_600_000;

export function user(name: string, more: Partial<UserRecord> = {}): UserRecord {
  return {
    realm: REALM,
    id: `id-${name}`,
    username: name,
    version: 1,
    representation: { id: `id-${name}`, username: name, attributes: { shelf: ['É', '😀'] } },
    ...more,
  };
}

export function key(kid: string, more: Partial<KeyRecord> = {}): KeyRecord {
  return {
    realm: REALM,
    kid,
    use: 'sig',
    algorithm: 'RS256',
    status: 'ACTIVE',
    priority: 100,
    createdAt: NOW,
    material: '{}',
    ...more,
  };
}

/** Returns the key of an online session. */
export function onlineSessionKey(id: string, realm = REALM): SessionKey {
  return { realm, id, offline: false };
}

export function session(id: string, more: Partial<UserSessionRecord> = {}): UserSessionRecord {
  return {
    realm: REALM,
    id,
    userId: 'id-alice',
    startedAt: NOW,
    lastRefresh: NOW,
    expiresAt: NOW + HOUR,
    rememberMe: false,
    offline: false,
    authMethod: 'openid-connect',
    notes: {},
    ...more,
  };
}

export function clientSession(sessionId: string, more: Partial<ClientSessionRecord> = {}): ClientSessionRecord {
  return {
    realm: REALM,
    sessionId,
    offline: false,
    clientUuid: 'web-app',
    startedAt: NOW,
    lastRefresh: NOW,
    scope: 'openid profile',
    notes: {},
    ...more,
  };
}

export function family(id: string, sessionId: string, more: Partial<FamilyRecord> = {}): FamilyRecord {
  return {
    realm: REALM,
    id,
    sessionId,
    offline: false,
    clientUuid: 'web-app',
    userId: 'id-alice',
    current: 'token-0',
    expiresAt: NOW + HOUR,
    ...more,
  };
}
