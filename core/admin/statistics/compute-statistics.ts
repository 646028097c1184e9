import { KEYHOST_ADMIN_CONSOLE } from '../../model/built-in-names.js';
import { BY_SESSION, isUserSignIn } from '../../model/sign-in-counts.js';
import { UserSketch } from '../../model/user-sketch.js';
import type { ActiveUsers, EventCount } from '../../store/store.js';
import { forEachYielding } from '../yielding-loops.js';
import { DAY_MS, type Range } from './statistics-query.js';

/** Maximum number of applications that are listed individually. */
const MAX_APPLICATIONS = 10;
const GRANT_PREFIX = 'grant:';
const PASSKEY_TYPES = ['webauthn-passwordless'];
const SECOND_FACTOR_TYPES = ['otp', 'webauthn', 'recovery-authn-codes'];

type Counts = readonly Omit<EventCount, 'realm'>[];

/** The series in which an event is counted. */
function seriesOf(count: Counts[number]): 'signIns' | 'failures' | 'signUps' | undefined {
  const { type } = count;
  if (type === 'LOGIN') return isUserSignIn(count) ? 'signIns' : undefined;
  if (type === 'LOGIN_ERROR') return 'failures';
  return type === 'REGISTER' ? 'signUps' : undefined;
}

/** Computes the statistics of a period from the counts in the store. */
export function computeStatistics(counts: Counts, { from, to, step, stepMs }: Range) {
  const series = Array.from({ length: (to - from) / stepMs }, (_, index) => ({
    time: from + index * stepMs,
    signIns: 0,
    failures: 0,
    signUps: 0,
  }));
  const totals = { signIns: 0, failures: 0, signUps: 0 };
  const applications = new Map<string, number>();
  const errors = new Map<string, number>();
  const tokens = new Map<string, number>();
  const factors = { signIns: 0, passwords: 0, passkeys: 0, secondFactors: 0, identityProviders: 0 };
  for (const count of counts) {
    const { clientId, about, total, type } = count;
    const seriesName = seriesOf(count);
    // The admin console gets tokens with each page load, and renews them while it is open.
    if (!type.endsWith('_ERROR') && about.startsWith(GRANT_PREFIX) && clientId !== KEYHOST_ADMIN_CONSOLE)
      increase(tokens, about.slice(GRANT_PREFIX.length), total);
    if (seriesName === undefined) continue;
    totals[seriesName] += total;
    const point = series[Math.floor((count.hour - from) / stepMs)];
    if (point !== undefined) point[seriesName] += total;
    if (seriesName === 'failures') increase(errors, about, total);
    if (seriesName !== 'signIns') continue;
    increase(applications, clientId, total);
    addFactors(factors, about, total);
  }
  const byClient = sortByCount(applications).filter(([clientId]) => clientId !== '');
  const top = byClient.slice(0, MAX_APPLICATIONS).map(([clientId, signIns]) => ({ clientId, signIns }));
  return {
    from,
    to,
    step,
    totals,
    series,
    applications: top,
    otherApplications: totals.signIns - top.reduce((sum, { signIns }) => sum + signIns, 0),
    failures: sortByCount(errors).map(([error, count]) => ({ error, count })),
    factors,
    tokens: sortByCount(tokens).map(([grant, count]) => ({ grant, count })),
  };
}

/**
 * Counts sign-ins by type of credential. Those with an existing session or a link used no credential, so they are left
 * out.
 */
function addFactors(factors: Record<string, number>, about: string, total: number): void {
  const credentialTypes = about.startsWith(GRANT_PREFIX)
    ? about === 'grant:password'
      ? ['password']
      : []
    : about.split('+');
  const usedAny = (names: readonly string[]) => credentialTypes.some((name) => names.includes(name));
  const usedIdentityProvider = usedAny(['identity-provider']);
  if (credentialTypes.length === 0 || about === '' || about === BY_SESSION) return;
  const add = (name: string) => {
    factors[name] = (factors[name] ?? 0) + total;
  };
  add('signIns');
  if (usedAny(['password'])) add('passwords');
  if (usedAny(PASSKEY_TYPES)) add('passkeys');
  if (usedAny(SECOND_FACTOR_TYPES)) add('secondFactors');
  if (usedIdentityProvider) add('identityProviders');
}

/** Counts active users per day, and in the last day, 7 days and 30 days before `to`. */
export async function countActiveUsers(
  realm: string,
  rows: readonly Omit<ActiveUsers, 'realm'>[],
  { from, to }: Range,
) {
  const end = to - (to % DAY_MS) + (to % DAY_MS === 0 ? 0 : DAY_MS);
  const sketches = { day: new UserSketch(), week: new UserSketch(), month: new UserSketch() };
  const byDay = new Map<number, UserSketch>();
  // There may be many rows, since these may be those of all realms.
  await forEachYielding(realm, rows, ({ day, sketch }) => {
    const daySketch = byDay.get(day) ?? new UserSketch();
    byDay.set(day, daySketch);
    daySketch.mergeText(sketch);
  });
  for (const [day, sketch] of byDay) {
    if (day >= end - DAY_MS) sketches.day.merge(sketch);
    if (day >= end - 7 * DAY_MS) sketches.week.merge(sketch);
    if (day >= end - 30 * DAY_MS) sketches.month.merge(sketch);
  }
  const days = [];
  for (let time = from - (from % DAY_MS); time < to; time += DAY_MS)
    days.push({ time, users: byDay.get(time)?.count() ?? 0 });
  return { day: sketches.day.count(), week: sketches.week.count(), month: sketches.month.count(), days };
}

function increase(counts: Map<string, number>, key: string, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

function sortByCount(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
}
