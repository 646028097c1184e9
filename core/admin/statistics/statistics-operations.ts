import type { Clock } from '../../model/clock.js';
import type { EventCounts } from '../../registry/events/event-counts.js';
import type { StatisticsStore } from '../../store/store.js';
import { type AdminOperation, ok } from '../operation.js';
import { computeStatistics, countActiveUsers } from './compute-statistics.js';
import { DAY_MS, parseRange, type Range, STATISTICS_QUERY } from './statistics-query.js';

export interface StatisticsParts {
  readonly eventCounts: EventCounts;
  readonly clock: Clock;
  readonly store: { readonly statistics: StatisticsStore };
}

const NUMBER = { type: 'integer' } as const;
const objectOf = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, NUMBER])),
});
const listOf = (name: string, ...numbers: readonly string[]) => {
  const { properties } = objectOf(...numbers);
  return { type: 'array', items: { type: 'object', properties: { [name]: { type: 'string' }, ...properties } } };
};
const TIMESTAMP = { type: 'integer', description: 'Milliseconds since the epoch.' } as const;
const STATISTICS_SCHEMA = {
  type: 'object',
  properties: {
    from: TIMESTAMP,
    to: TIMESTAMP,
    step: { type: 'string', enum: ['hour', 'day'] },
    totals: objectOf('signIns', 'failures', 'signUps'),
    series: { type: 'array', items: objectOf('time', 'signIns', 'failures', 'signUps') },
    applications: { ...listOf('clientId', 'signIns'), description: 'The ten clients with the most sign-ins.' },
    otherApplications: { ...NUMBER, description: 'Sign-ins of all other clients.' },
    failures: { ...listOf('error', 'count'), description: 'LOGIN_ERROR by error, the most frequent first.' },
    factors: {
      ...objectOf('signIns', 'passwords', 'passkeys', 'secondFactors', 'identityProviders'),
      description: 'Sign-ins with a credential or an identity provider, and how many of them took which.',
    },
    tokens: { ...listOf('grant', 'count'), description: 'Successful token requests by grant type.' },
    activeUsers: {
      type: 'object',
      description:
        'Different users who have signed in on the last day before `to`, in 7 days, in 30 days, and on each day. ' +
        'Estimated: the standard error is 0.8 %.',
      properties: {
        ...objectOf('day', 'week', 'month').properties,
        days: { type: 'array', items: objectOf('time', 'users') },
      },
    },
  },
} as const;

const HOST_STATISTICS_SCHEMA = {
  ...STATISTICS_SCHEMA,
  properties: {
    ...STATISTICS_SCHEMA.properties,
    realms: { ...listOf('realm', 'signIns', 'failures'), description: 'The 20 realms with the most of both.' },
  },
} as const;
const MAX_REALMS = 20;

/** Keyhost's own API: the numbers of sign-ins, failed sign-ins, registrations and active users. */
export function statisticsOperations({ eventCounts, clock, store: { statistics } }: StatisticsParts): AdminOperation[] {
  const numbersOf = async (realm: string | undefined, range: Range) => {
    await eventCounts.flush();
    const sketchRange = { from: Math.min(range.from - (range.from % DAY_MS), range.to - 30 * DAY_MS), to: range.to };
    const counts = await statistics.counts(realm, range);
    const sketchRows = await statistics.actives(realm, sketchRange);
    return {
      ...computeStatistics(counts, range),
      activeUsers: await countActiveUsers(realm ?? '', sketchRows, range),
    };
  };
  const readOperation = {
    method: 'GET',
    tag: 'Statistics',
    query: STATISTICS_QUERY,
    answers: { status: 200, body: STATISTICS_SCHEMA },
  } as const;
  return [
    {
      ...readOperation,
      path: '/statistics',
      summary:
        'Sign-ins, failures, sign-ups, active users, applications, credentials and grants of the realm, by hour or day; ' +
        'without service accounts and impersonation',
      roles: ['view-events'],
      handle: async ({ realm, query }) => ok(await numbersOf(realm.name, parseRange(query, clock.now()))),
    },
    {
      ...readOperation,
      answers: { status: 200, body: HOST_STATISTICS_SCHEMA },
      path: '/statistics',
      scope: 'server',
      summary: 'The same of all realms together, and the realms with the most sign-ins',
      roles: [],
      forHostAdmins: true,
      async handle({ query }) {
        const range = parseRange(query, clock.now());
        const numbers = await numbersOf(undefined, range);
        return ok({ ...numbers, realms: await statistics.busiestRealms(range, MAX_REALMS) });
      },
    },
  ];
}
