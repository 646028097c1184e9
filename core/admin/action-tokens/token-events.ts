import type { AdminEvent, Event } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/**
 * Events in the life of a link.
 *
 * - `failed`: it was not mailed, or not issued.
 * - `followed`: the endpoint of links accepted it.
 * - `used`: something was done in the login that it opened.
 * - `ended`: it was revoked together with all links of its user.
 */
export const TOKEN_EVENTS = ['issued', 'failed', 'followed', 'refused', 'used', 'revoked', 'ended'] as const;

export interface TokenHistoryAdmin {
  readonly realmId: string;
  readonly userId: string;
  /** The names of the admin's realm and of the admin. Set only for callers who may see the users of that realm. */
  readonly realm?: string;
  readonly username?: string;
}

/** One entry in the history of a link. */
export interface TokenHistoryEntry {
  /** Milliseconds. */
  readonly time: number;
  readonly what: (typeof TOKEN_EVENTS)[number];
  /** ID of the event that records it. */
  readonly event: string;
  /** The type of the user event, or `ADMIN` for an admin event. */
  readonly type: string;
  readonly error?: string;
  readonly reason?: string;
  readonly clientId?: string;
  readonly ipAddress?: string;
  /** The admin who did it. */
  readonly by?: TokenHistoryAdmin;
}

/** Orders by time. Within a millisecond: in the order in which these things can happen. */
export function compareEntries(one: TokenHistoryEntry, other: TokenHistoryEntry): number {
  return one.time - other.time || TOKEN_EVENTS.indexOf(one.what) - TOKEN_EVENTS.indexOf(other.what);
}

/** @param id of the token */
export function entriesOfUserEvents(records: readonly EventRecord[], id: string): TokenHistoryEntry[] {
  return records
    .filter(({ kind }) => kind === 'user')
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ details }) => details?.token_id === id)
    .map((event) => {
      const { time, type, error, clientId, ipAddress, details } = event;
      const shown = { event: event.id, type, error, reason: details?.reason, clientId, ipAddress };
      return { time, what: eventKind(event), ...defined(shown) };
    });
}

/** @param of.path of the user's tokens, below the realm */
export function entriesOfAdminEvents(
  records: readonly EventRecord[],
  of: { readonly path: string; readonly id: string; readonly issuedAt: number },
): TokenHistoryEntry[] {
  return records.flatMap(({ body }) => {
    const event = JSON.parse(body) as AdminEvent;
    const what = entryOfAdminEvent(event, of);
    if (what === undefined) return [];
    const { realmId, userId, ipAddress } = event.authDetails;
    const shown = { event: event.id, type: 'ADMIN', ipAddress, by: { realmId, userId } };
    return [{ time: event.time, what, ...defined(shown) }];
  });
}

/** Events of a login have a response type. Events of the endpoint of links have the action of the link. */
function eventKind({ details = {}, error }: Event): TokenHistoryEntry['what'] {
  const failed = error !== undefined;
  if (details.response_type !== undefined) return failed ? 'refused' : 'used';
  if (details.action !== undefined) return failed ? 'refused' : 'followed';
  return failed ? 'failed' : 'issued';
}

function entryOfAdminEvent(
  { resourcePath, representation, time }: AdminEvent,
  { path, id, issuedAt }: { readonly path: string; readonly id: string; readonly issuedAt: number },
): TokenHistoryEntry['what'] | undefined {
  if (resourcePath === `${path}/${id}`) return 'revoked';
  if (resourcePath !== path) return undefined;
  const issued = (representation as { readonly id?: unknown } | undefined)?.id;
  if (issued === id) return 'issued';
  return issued === undefined && time >= issuedAt ? 'ended' : undefined;
}
