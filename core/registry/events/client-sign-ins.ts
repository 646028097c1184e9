import type { Clock } from '../../model/clock.js';
import type { StatisticsStore } from '../../store/store.js';
import type { EventCounts } from './event-counts.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A client that signs in by itself has events of its own type. */
const SIGNED_IN = ['LOGIN', 'CLIENT_LOGIN'];
/** What ends a sign-in: at the login, or where the app redeems its code. */
const FAILED = ['LOGIN_ERROR', 'CLIENT_LOGIN_ERROR', 'CODE_TO_TOKEN_ERROR'];

/** Sign-ins to one client in the last 24 hours, whether or not the realm saves its events. */
export interface ClientSignIns {
  readonly signIns: number;
  readonly failures: readonly { readonly error: string; readonly count: number }[];
}

/** @param parts.statistics of the store */
export async function clientSignIns(
  parts: { eventCounts: EventCounts; clock: Clock; statistics: StatisticsStore },
  realm: string,
  clientId: string,
): Promise<ClientSignIns> {
  await parts.eventCounts.written();
  const now = parts.clock.now();
  const counts = await parts.statistics.counts(realm, { from: now - DAY_MS - (now % HOUR_MS), to: now + HOUR_MS });
  const failures = new Map<string, number>();
  let signIns = 0;
  for (const { type, about, total, clientId: of } of counts) {
    if (of !== clientId) continue;
    if (SIGNED_IN.includes(type)) signIns += total;
    if (FAILED.includes(type)) failures.set(about, (failures.get(about) ?? 0) + total);
  }
  return { signIns, failures: [...failures].map(([error, count]) => ({ error, count })) };
}
