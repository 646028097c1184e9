import { parseArgs } from 'node:util';
import { type Capacity, capacityFor, type Demand } from './capacity-model.js';
import { MEASURED } from './measured-costs.js';

const HELP = `node dist/test/bench/scale/capacity.js [options]: the nodes and the database that so many users need

  --users N               (without any option: a table out to 100 million)
  --logins N              in a second at the peak (default: one in 20,000 users)
  --refreshes N           in a second (default: 8 for each login)
  --client-credentials N  in a second (default: 2 for each login)
  --introspections N      in a second (default: 8 for each login)
  --sessions N            that are alive (default: half as many as users)
  --event-days N          that events are kept (default 30)
`;
const RATES = ['logins', 'refreshes', 'client-credentials', 'introspections', 'sessions', 'event-days'] as const;
const TABLE = [100_000, 1_000_000, 10_000_000, 30_000_000, 100_000_000];

const { values } = parseArgs({
  options: {
    users: { type: 'string' },
    ...Object.fromEntries(RATES.map((name) => [name, { type: 'string' as const }])),
    help: { type: 'boolean', default: false },
  },
});

function demandOf(users: number): Demand {
  const given = (name: (typeof RATES)[number], otherwise: number) => {
    const value = (values as Record<string, string | boolean | undefined>)[name];
    return value === undefined ? otherwise : Number(value);
  };
  const logins = given('logins', users / 20_000);
  return {
    users,
    sessions: given('sessions', users / 2),
    logins,
    refreshes: given('refreshes', logins * 8),
    clientCredentials: given('client-credentials', logins * 2),
    introspections: given('introspections', logins * 8),
    eventDays: given('event-days', 30),
  };
}

const HEADS = [
  'users',
  'logins/s',
  'refreshes/s',
  'nodes of 4 cores',
  'database cores',
  'round trips/s',
  'WAL MB/s',
  'disk GB',
  'memory GB',
  'nearest limit',
];

function row(demand: Demand, capacity: Capacity): string {
  const count = (value: number) => Math.ceil(value).toLocaleString('en');
  const cells = [
    ...[demand.users, demand.logins, demand.refreshes, capacity.nodes, capacity.databaseCores, capacity.roundTrips].map(
      count,
    ),
    capacity.walMegabytes.toFixed(1),
    ...[capacity.diskGigabytes, capacity.memoryGigabytes].map(count),
    capacity.limit,
  ];
  return `| ${cells.join(' | ')} |`;
}

if (values.help) process.stdout.write(HELP);
else {
  const all = values.users === undefined ? TABLE : [Number(values.users)];
  const rows = all.map(demandOf).map((demand) => row(demand, capacityFor(demand, MEASURED)));
  const line = HEADS.map((_, index) => (index === HEADS.length - 1 ? ' --- ' : ' ---: ')).join('|');
  process.stdout.write(`${[`| ${HEADS.join(' | ')} |`, `|${line}|`, ...rows].join('\n')}\n`);
}
