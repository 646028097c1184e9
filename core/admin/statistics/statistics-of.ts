import { UserSketch } from '../../model/user-sketch.js';
import { IMPERSONATED } from '../../registry/events/event-counts.js';
import type { ActiveUsers, EventCount } from '../../store/store.js';
import { forEachYielding } from '../yielding-loops.js';
import { DAY_MS, type Range } from './statistics-query.js';

/** Maximum number of applications that are listed by name. */
const MAX_APPLICATIONS = 10;
const GRANT = 'grant:';
const PASSKEYS = ['webauthn-passwordless'];
const SECOND_FACTORS = ['otp', 'webauthn', 'recovery-authn-codes'];

type Counts = readonly Omit<EventCount, 'realm'>[];

/** The series in which an event is counted. */
function kindOf({ type, about }: Counts[number]): 'signIns' | 'failures' | 'signUps' | undefined {
  if (type === 'LOGIN') return about === IMPERSONATED ? undefined : 'signIns';
  if (type === 'LOGIN_ERROR') return 'failures';
  return type === 'REGISTER' ? 'signUps' : undefined;
}

/** Statistics of a period, from the counts in the store. */
export function statisticsOf(counts: Counts, { from, to, step, stepMs }: Range) {
  const series = Array.from({ length: (to - from) / stepMs }, (_, at) => ({
    time: from + at * stepMs,
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
    const kind = kindOf(count);
    if (!type.endsWith('_ERROR') && about.startsWith(GRANT)) raise(tokens, about.slice(GRANT.length), total);
    if (kind === undefined) continue;
    totals[kind] += total;
    const point = series[Math.floor((count.hour - from) / stepMs)];
    if (point !== undefined) point[kind] += total;
    if (kind === 'failures') raise(errors, about, total);
    if (kind !== 'signIns') continue;
    raise(applications, clientId, total);
    addFactors(factors, about, total);
  }
  const named = ranked(applications).filter(([clientId]) => clientId !== '');
  const top = named.slice(0, MAX_APPLICATIONS).map(([clientId, signIns]) => ({ clientId, signIns }));
  return {
    from,
    to,
    step,
    totals,
    series,
    applications: top,
    otherApplications: totals.signIns - top.reduce((sum, { signIns }) => sum + signIns, 0),
    failures: ranked(errors).map(([error, count]) => ({ error, count })),
    factors,
    tokens: ranked(tokens).map(([grant, count]) => ({ grant, count })),
  };
}

/** Counts sign-ins by credential. Those by an existing session or a link used none and are left out. */
function addFactors(factors: Record<string, number>, about: string, total: number): void {
  const used = about.startsWith(GRANT) ? (about === 'grant:password' ? ['password'] : []) : about.split('+');
  const has = (names: readonly string[]) => used.some((name) => names.includes(name));
  const isOfProvider = has(['identity-provider']);
  if (used.length === 0 || about === '' || about === 'session') return;
  const add = (name: string) => {
    factors[name] = (factors[name] ?? 0) + total;
  };
  add('signIns');
  if (has(['password'])) add('passwords');
  if (has(PASSKEYS)) add('passkeys');
  if (has(SECOND_FACTORS)) add('secondFactors');
  if (isOfProvider) add('identityProviders');
}

/** Active users per day, and in the last one, seven and thirty days before `to`. */
export async function activeUsersOf(realm: string, rows: readonly Omit<ActiveUsers, 'realm'>[], { from, to }: Range) {
  const end = to - (to % DAY_MS) + (to % DAY_MS === 0 ? 0 : DAY_MS);
  const unions = { day: new UserSketch(), week: new UserSketch(), month: new UserSketch() };
  const byDay = new Map<number, UserSketch>();
  // There may be many rows, since these can be those of all realms together.
  await forEachYielding(realm, rows, ({ day, sketch }) => {
    const ofDay = byDay.get(day) ?? new UserSketch();
    byDay.set(day, ofDay);
    ofDay.mergeText(sketch);
  });
  for (const [day, sketch] of byDay) {
    if (day >= end - DAY_MS) unions.day.merge(sketch);
    if (day >= end - 7 * DAY_MS) unions.week.merge(sketch);
    if (day >= end - 30 * DAY_MS) unions.month.merge(sketch);
  }
  const shown = [];
  for (let time = from - (from % DAY_MS); time < to; time += DAY_MS)
    shown.push({ time, users: byDay.get(time)?.count() ?? 0 });
  return { day: unions.day.count(), week: unions.week.count(), month: unions.month.count(), days: shown };
}

function raise(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function ranked(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([a, more], [b, less]) => less - more || (a < b ? -1 : 1));
}
