import { realm } from '../bench-realm.js';
import { HttpClient } from '../http-client.js';
import { production, writeFolder } from '../keyhost.js';
import { memoryOf } from '../memory.js';
import type { Processes, Server } from '../processes.js';
import { oidcOf, post } from '../rows/keyhost-targets.js';
import { type Costs, use } from './capacity-model.js';
import { type Cost, costOf, type Work } from './costs.js';
import { type BenchDatabase, startBenchDatabase } from './database.js';
import { atRates } from './mixed-load.js';
import {
  LARGE,
  type Population,
  populate,
  TEMPLATE_NAMES,
  TEMPLATE_REALM,
  TEMPLATE_USER,
  templateId,
  usernameOf,
} from './populate.js';
import { tellSearches } from './user-searches.js';
import { loginOf, PASSWORD, worksOf } from './works.js';

/** Mixed work per second, for which the computed cost is compared with the measured one. */
const POINTS = [
  { logins: 5, refreshes: 20, clientCredentials: 20, introspections: 20 },
  { logins: 8, refreshes: 50, clientCredentials: 40, introspections: 60 },
] as const;
const POINT_SECONDS = 20;

type Say = (text: string) => void;

/**
 * Measures a host on PostgreSQL with that many realms, users and sessions: searches, the cost of its work, and the
 * capacity computed from it.
 */
export async function measurePopulated(
  { dir, processes, say, print }: { dir: string; processes: Processes; say: Say; print: Say },
  population: Population,
  searchesOnly: boolean,
): Promise<void> {
  const database = await startBenchDatabase();
  try {
    const argv = await templates(dir, database);
    const first = await processes.start(argv);
    // A first login may rehash a password: copies are made after that.
    await post(`${oidcOf(first, LARGE)}/token`, { ...loginOf(0), username: TEMPLATE_USER });
    await processes.stop(first);
    await populate(database, population, say);
    await tellSizes(database, population, print);
    const server = await processes.start(argv);
    print(`start with ${population.realms} realms: ${(server.readyMs / 1000).toFixed(2)} s`);
    await tellUserSearches(server, population.users, { say, print });
    if (searchesOnly) return;
    const costs = await measureWorks({ server, database }, population, { say, print });
    print(`memory in the end: ${memoryOf(server.pid).toFixed(0)} MB`);
    await tellPoints({ server, database }, population, costs, { say, print });
    print(JSON.stringify({ costs }, undefined, 1));
    await processes.stop(server);
  } finally {
    processes.killAll();
    await database.stop();
  }
}

async function templates(dir: string, database: BenchDatabase): Promise<readonly string[]> {
  const base = { ...realm(LARGE, 'ES256', false), providers: {} };
  const user = { id: templateId, username: TEMPLATE_USER, email: `${TEMPLATE_USER}@example.com`, enabled: true };
  const credentials = [{ type: 'password', value: PASSWORD }];
  const large = { ...base, users: [{ ...user, ...TEMPLATE_NAMES, credentials }] };
  const copied = { ...base, realm: TEMPLATE_REALM, users: [] };
  await writeFolder(dir, [large, copied]);
  return production(dir, database.argv);
}

async function tellSizes(database: BenchDatabase, { users, sessions }: Population, print: Say): Promise<void> {
  const size = async (...tables: string[]) => {
    const sum = tables.map((table) => `pg_total_relation_size('${table}')`).join(' + ');
    return Number((await database.run(`SELECT ${sum} AS bytes`))[0]?.bytes);
  };
  const ofUsers = await size('users', 'user_holdings');
  const ofSessions = await size('user_sessions', 'client_sessions', 'families');
  print(`bytes of a user: ${(ofUsers / Math.max(1, users)).toFixed(0)}`);
  print(`bytes of a session with a client session and a family: ${(ofSessions / Math.max(1, sessions)).toFixed(0)}`);
}

async function tellUserSearches(server: Server, users: number, told: { say: Say; print: Say }): Promise<void> {
  const client = new HttpClient();
  const username = usernameOf(Math.ceil(users / 2));
  await tellSearches({ server, client, realm: LARGE, middle: { username, number: username.slice(-6) } }, told);
  client.close();
}

async function measureWorks(
  measured: { readonly server: Server; readonly database: BenchDatabase },
  population: Population,
  { say, print }: { say: Say; print: Say },
): Promise<readonly Cost[]> {
  const client = new HttpClient();
  const costs: Cost[] = [];
  print(
    `${'work'.padEnd(58)}${['p50 ms', 'p99 ms', 'host µs', 'db µs', 'trips', 'stmts', 'WAL B'].map((head) => head.padStart(9)).join('')}`,
  );
  for (const work of await worksOf(measured.server, client, population)) {
    say(work.work);
    const cost = await costOf(measured, work);
    costs.push(cost);
    const figures = [
      cost.p50,
      cost.p99,
      cost.hostCpu,
      cost.databaseCpu,
      cost.roundTrips,
      cost.statements,
      cost.walBytes,
    ];
    print(
      `${cost.work.padEnd(58)}${figures.map((figure) => figure.toFixed(figure < 100 ? 1 : 0).padStart(9)).join('')}`,
    );
  }
  client.close();
  return costs;
}

/** Compares the computed with the measured cost of mixed work. */
async function tellPoints(
  measured: { readonly server: Server; readonly database: BenchDatabase },
  population: Population,
  costs: readonly Cost[],
  { say, print }: { say: Say; print: Say },
): Promise<void> {
  const client = new HttpClient();
  const works = await worksOf(measured.server, client, population);
  const named = (name: string) => works.find(({ work }) => work === name) as Work;
  const cost = (name: string) => costs.find(({ work }) => work === name) as Cost;
  const names = {
    logins: 'login in a browser, without its hash',
    refreshes: 'refresh',
    clientCredentials: 'client_credentials',
    introspections: 'introspection',
  };
  const model: Costs = {
    login: cost(names.logins),
    hash: 0,
    refresh: cost(names.refreshes),
    clientCredentials: cost(names.clientCredentials),
    introspection: cost(names.introspections),
    bytes: { user: 0, session: 0, event: 0 },
  };
  for (const point of POINTS) {
    say(`mixed work: ${JSON.stringify(point)}`);
    const rates = Object.entries(point).map(([name, rate]) => ({
      rate,
      once: named(names[name as keyof typeof names]).once,
    }));
    const took = await atRates(measured, rates, POINT_SECONDS);
    const [logins = 0, refreshes = 0, clientCredentials = 0, introspections = 0] = took.done;
    const done = { logins, refreshes, clientCredentials, introspections };
    const expected = use({ users: 0, sessions: 0, eventDays: 0, ...done }, model);
    const beside = (what: string, ours: number, theirs: number, digits: number) =>
      `${what} ${theirs.toFixed(digits)} measured, ${ours.toFixed(digits)} reckoned`;
    print(
      `${JSON.stringify(done)} in a second: ${[
        beside('cores of the host', expected.hostCores, took.hostCores, 3),
        beside('cores of the database', expected.databaseCores, took.databaseCores, 3),
        beside('round trips', expected.roundTrips, took.roundTrips, 0),
      ].join('; ')}; p99 ${took.p99.toFixed(0)} ms`,
    );
  }
  client.close();
}
