import type { AdminEvent, Event, StoredEvent } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/** The row of an event in the host's own store, with the columns for queries. */
export function eventRecord(realm: string, { kind, event, expiresAt }: StoredEvent): EventRecord {
  const columns = kind === 'user' ? userColumns(event) : adminColumns(event);
  return defined({ realm, kind, id: event.id, time: event.time, ...columns, body: JSON.stringify(event), expiresAt });
}

function userColumns({ type, clientId, userId, ipAddress }: Event) {
  return { type, clientId, userId, ipAddress };
}

function adminColumns({ operationType, authDetails: { clientId, userId, ipAddress } }: AdminEvent) {
  return { type: operationType, clientId, userId, ipAddress };
}
