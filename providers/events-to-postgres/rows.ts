import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';

/** The columns of an event, in the order of `rowOf`. */
export const COLUMNS = [
  'realm_id',
  'id',
  'realm',
  'kind',
  'time',
  'type',
  'client_id',
  'user_id',
  'ip_address',
  'session_id',
  'token_id',
  'resource_type',
  'resource_path',
  'auth_realm_id',
  'error',
  'body',
  'expires_at',
] as const;
/** The numeric columns. */
export const NUMERIC_COLUMNS: readonly string[] = ['time', 'expires_at'];

/** @param realm the realm's ID */
export function rowOf(realm: string, { kind, event, expiresAt }: StoredEvent): (string | null)[] {
  const kindColumns = kind === 'user' ? userColumns(event) : adminColumns(event);
  const row = [
    realm,
    event.id,
    event.realmName,
    kind,
    String(event.time),
    ...kindColumns,
    event.error,
    JSON.stringify(event),
    expiresAt === undefined ? undefined : String(expiresAt),
  ];
  // PostgreSQL texts cannot contain NUL.
  return row.map((value) => value?.replaceAll('\0', '\ufffd') ?? null);
}

function userColumns({ type, clientId, userId, ipAddress, sessionId, details }: Event) {
  return [type, clientId, userId, ipAddress, sessionId, details.token_id, undefined, undefined, undefined];
}

function adminColumns({ operationType, authDetails, resourceType, resourcePath }: AdminEvent) {
  const { clientId, userId, ipAddress, realmId } = authDetails;
  return [operationType, clientId, userId, ipAddress, undefined, undefined, resourceType, resourcePath, realmId];
}
