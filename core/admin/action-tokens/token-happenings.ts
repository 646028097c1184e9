import type { AdminEvent, Event } from '@keyhost/spi';
import { defined } from '../../model/defined.js';
import type { EventRecord } from '../../store/store.js';

/**
 * What may happen to a link. `failed`: it was not mailed, or not issued; `followed`: its endpoint took it; `used`: something was
 * done in the login that it led to; `ended`: with all links of its user.
 */
export const HAPPENINGS = ['issued', 'failed', 'followed', 'refused', 'used', 'revoked', 'ended'] as const;

export interface HappeningAdmin {
  readonly realmId: string;
  readonly userId: string;
  /** The name of their realm, and theirs: for who may see the users of that realm. */
  readonly realm?: string;
  readonly username?: string;
}

/** One line of the history of a link. */
export interface Happening {
  /** Milliseconds. */
  readonly time: number;
  readonly what: (typeof HAPPENINGS)[number];
  /** Id of the event that tells it. */
  readonly event: string;
  /** Of the event of a user; `ADMIN` of an admin's. */
  readonly type: string;
  readonly error?: string;
  readonly reason?: string;
  readonly clientId?: string;
  readonly ipAddress?: string;
  /** The admin who did it. */
  readonly by?: HappeningAdmin;
}

/** By time, and within a millisecond in the order in which things may happen. */
export function inOrder(one: Happening, other: Happening): number {
  return one.time - other.time || HAPPENINGS.indexOf(one.what) - HAPPENINGS.indexOf(other.what);
}

/** @param id of the token */
export function happeningsOfUser(records: readonly EventRecord[], id: string): Happening[] {
  return records
    .filter(({ kind }) => kind === 'user')
    .map(({ body }) => JSON.parse(body) as Event)
    .filter(({ details }) => details?.token_id === id)
    .map((event) => {
      const { time, type, error, clientId, ipAddress, details } = event;
      const shown = { event: event.id, type, error, reason: details?.reason, clientId, ipAddress };
      return { time, what: whatOf(event), ...defined(shown) };
    });
}

/** @param of.path of the user's tokens, below the realm */
export function happeningsOfAdmins(
  records: readonly EventRecord[],
  of: { readonly path: string; readonly id: string; readonly issuedAt: number },
): Happening[] {
  return records.flatMap(({ body }) => {
    const event = JSON.parse(body) as AdminEvent;
    const what = byAdmin(event, of);
    if (what === undefined) return [];
    const { realmId, userId, ipAddress } = event.authDetails;
    const shown = { event: event.id, type: 'ADMIN', ipAddress, by: { realmId, userId } };
    return [{ time: event.time, what, ...defined(shown) }];
  });
}

/** Events of a login have a response type; that of the endpoint of links says which action was asked for. */
function whatOf({ details = {}, error }: Event): Happening['what'] {
  const failed = error !== undefined;
  if (details.response_type !== undefined) return failed ? 'refused' : 'used';
  if (details.action !== undefined) return failed ? 'refused' : 'followed';
  return failed ? 'failed' : 'issued';
}

function byAdmin(
  { resourcePath, representation, time }: AdminEvent,
  { path, id, issuedAt }: { readonly path: string; readonly id: string; readonly issuedAt: number },
): Happening['what'] | undefined {
  if (resourcePath === `${path}/${id}`) return 'revoked';
  if (resourcePath !== path) return undefined;
  const issued = (representation as { readonly id?: unknown } | undefined)?.id;
  if (issued === id) return 'issued';
  return issued === undefined && time >= issuedAt ? 'ended' : undefined;
}
