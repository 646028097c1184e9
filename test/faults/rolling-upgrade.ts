import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readMigrations } from '../../core/store/engine/migrations.js';
import { keyhost } from '../helpers/command.js';
import { freePort } from '../helpers/free-port.js';
import { startPostgresql } from '../helpers/postgresql-server.js';
import { testRealm } from '../helpers/realms.js';
import { LAST_RELEASE } from '../store/releases.js';
import { startBalancer } from './balancer.js';
import { buildLastRelease, hasLastRelease } from './last-release.js';
import { NodeProcess } from './node-process.js';
import { failed, Traffic, told } from './traffic.js';

const HELP = `npm run faults:rolling-upgrade -- [--nodes 3] [--rate 200]

  Nodes of the last release on one PostgreSQL behind HAProxy are replaced by this version one after the other, while mixed requests come
  at a fixed rate; then one is put back, and replaced again. The store is migrated by keyhost store migrate before.
  Tells what failed. Exit code: 0 nothing did, 1 something did, 2 there is no last release to be built here.
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    rate: { type: 'string', default: '200' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
if (!hasLastRelease()) {
  process.stderr.write(`skipped: commit ${LAST_RELEASE.commit} is not here (no .git, or a shallow clone)\n`);
  process.exit(2);
}

/** A backend of the balancer, which runs one of two versions. */
interface Place {
  readonly before: NodeProcess;
  readonly now: NodeProcess;
}

const say = (text: string) => process.stderr.write(`${text}\n`);
const dir = mkdtempSync(join(tmpdir(), 'keyhost-upgrade-'));
// The server itself does not keep this process alive.
const held = setInterval(() => {}, 1000);
const database = await startPostgresql({ isDurable: true });
const places: Place[] = [];
const traffic: Traffic[] = [];
let balancer: Awaited<ReturnType<typeof startBalancer>> | undefined;
try {
  say(`building ${LAST_RELEASE.version} (${LAST_RELEASE.commit})`);
  const release = buildLastRelease(join(dir, 'release'));
  const front = await freePort();
  const { store, host } = await prepare(front);
  for (let place = 0; place < Number(values.nodes); place += 1) {
    const ports = { http: await freePort(), management: await freePort() };
    const of = (version: string, argv: readonly string[], command?: string) =>
      new NodeProcess({ name: `${version} ${place}`, ports, dir: join(dir, `${version}-${place}`), argv, command });
    const before = of('before', [...host, '--providers-dir', join(dir, 'release/providers')], release);
    places.push({ before, now: of('now', host) });
  }
  for (const { before } of places) await before.start();
  balancer = await startBalancer(
    front,
    places.map(({ before }) => before.ports),
  );
  const load = new Traffic(balancer.url);
  traffic.push(load);
  let isOver = false;
  const all = load.run(Number(values.rate), () => isOver);
  const steps = roll(store).finally(() => {
    isOver = true;
  });
  await Promise.all([steps, all]);
  const sent = [...load.outcomes.values()].reduce((sum, one) => sum + one.sent, 0);
  process.stdout.write(
    `${LAST_RELEASE.version} (${LAST_RELEASE.commit}) to this version, ${values.nodes} nodes, ${values.rate} requests a second: ` +
      `${sent} requests, ${failed(load.outcomes)} failed\n${told(load.outcomes)}\n`,
  );
  process.exitCode = failed(load.outcomes) === 0 ? 0 : 1;
} finally {
  for (const one of traffic) one.close();
  await Promise.all(places.flatMap(({ before, now }) => [before.stop('SIGKILL'), now.stop('SIGKILL')]));
  await balancer?.stop();
  await database.stop();
  clearInterval(held);
  rmSync(dir, { recursive: true, force: true });
}
process.exit();

/** Options of the store, and of all nodes. */
async function prepare(front: number): Promise<{ store: string[]; host: string[] }> {
  const { host, port, database: name, username } = await database.database();
  const realms = join(dir, 'realms');
  mkdirSync(realms);
  const realm = testRealm('demo', { accessTokenLifespan: 3600, ssoSessionIdleTimeout: 7200 });
  writeFileSync(join(realms, 'demo.json'), JSON.stringify(realm));
  const plugins = ['@keyhost/newsletter', '@keyhost/external-app-notification'].map((module) => ({ module }));
  writeFileSync(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
  writeFileSync(join(dir, 'password'), database.password, { mode: 0o600 });
  const store = [
    '--db',
    'postgres',
    '--db-url',
    `postgres://${host}:${port}/${name}`,
    '--db-username',
    username,
    '--db-password-file',
    join(dir, 'password'),
  ];
  const files = ['--realms-dir', realms, '--plugins-file', join(dir, 'plugins.json'), '--watch-plugins', 'false'];
  return { store, host: [...store, ...files, '--hostname', `http://127.0.0.1:${front}`, '--shutdown-delay', '1500ms'] };
}

/** Replaces one node after another under load. */
async function roll(store: readonly string[]): Promise<void> {
  await sleep(3000);
  const migrated = await keyhost(['store', 'migrate', ...store]);
  if (migrated.code !== 0) throw new Error(`keyhost store migrate: ${migrated.stderr}`);
  say(migrated.stdout.trim());
  for (const { before, now } of places) await replace(before, now);
  const [first] = places;
  // Roll back only to a release with the newest schema: an older one may not know the rule about newer schemas.
  if (first !== undefined && LAST_RELEASE.schema === readMigrations().at(-1)?.version) {
    await replace(first.now, first.before);
    await replace(first.before, first.now);
  } else say('the last release is not put back: it knows an older schema');
  await sleep(2000);
}

async function replace(one: NodeProcess, other: NodeProcess): Promise<void> {
  const code = await one.stop();
  if (code !== 0) say(`${one.name} ended with ${code}`);
  await other.start();
  say(`${one.name} gave way to ${other.name}`);
  // Time for HAProxy to notice, and for both versions to serve at the same time.
  await sleep(4000);
}
