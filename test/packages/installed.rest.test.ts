import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { npmRegistry } from '../helpers/npm-registry.js';
import { packAll } from './packed.js';
import { loadedFiles, Stranger, stopped } from './stranger.js';

/** Prints the stack of what a class of the host throws. */
const THROWS = `import { openTestHost } from 'keyhost/test-host';
await openTestHost({ argv: ['--http-port', 'x'], plugins: [], realms: [] }).catch(({ stack }) => console.log(stack));`;

/** The headers of a proxy in front of a production host. */
const PROXIED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'id.example.test' };
const PLUGINS = ['@keyhost/newsletter', '@keyhost/external-app-notification', '@keyhost/books'];

const OF_ALICE = { grant_type: 'password', client_id: 'cli', username: 'alice', password: 'alice' };

async function tokenOf(url: string, headers: Record<string, string> = {}) {
  const address = `${url}/realms/demo/protocol/openid-connect/token`;
  const answer = await fetchAnswer(address, { method: 'POST', headers, body: new URLSearchParams(OF_ALICE) });
  return { ...answer, token: String(answer.json.access_token) };
}

const issuerOf = async (url: string, headers: Record<string, string> = {}) =>
  (await fetchAnswer(`${url}/realms/demo/.well-known/openid-configuration`, { headers })).json.issuer as unknown;

let packedInto: string;
/** By the names of their packages. */
let tarballs: Readonly<Record<string, string>>;

test.before(async (t) => {
  t.timeout(180_000);
  packedInto = await mkdtemp(join(tmpdir(), 'keyhost-packed-'));
  tarballs = Object.fromEntries((await packAll(packedInto)).map(({ name, tarball }) => [name, tarball]));
});

test.after.always(() => rm(packedInto, { recursive: true, force: true }));

test('installed package: npm’s package is enough: from an empty folder to a plugin and to production', async (t) => {
  t.timeout(300_000);
  const stranger = await Stranger.arrives(t);
  const site = await stranger.makes('site');
  const coverage = join(stranger.dir, 'coverage');

  await stranger.runs(['npm', 'install', ...Object.values(tarballs)], site);
  await stranger.keyhost(['init'], site);
  for (const name of PLUGINS) await stranger.keyhost(['plugin', 'add', tarballs[name] ?? name], site);
  await stranger.keyhost(['plugin', 'enable', 'books', '--realm', 'demo'], site);
  const trial = await stranger.starts(['start-dev'], site, coverage);
  for (const name of PLUGINS) t.regex(trial.output(), new RegExp(`^${name}@`, 'm'));
  t.is(await issuerOf(trial.url), `${trial.url}/realms/demo`);
  const alice = await tokenOf(trial.url);
  t.is(alice.status, 200, alice.text);
  const grpc = / grpc=(\S+)/.exec(trial.output())?.[1] ?? '';
  const author = ['npx', '--no-install', 'keyhost-books', 'author', '2', '--address', grpc];
  t.regex((await stranger.runs(author, site)).stdout, /William +Shakespeare/);

  await stranger.keyhost(['plugin', 'new', 'realm-resource', 'hello'], site);
  const hello = join(site, 'providers/hello');
  await stranger.runs(['npm', 'install'], hello);
  t.regex((await stranger.runs(['npm', 'test'], hello)).stdout, /fail 0\n/);
  await stranger.keyhost(['plugin', 'add', 'hello'], site);
  await stranger.keyhost(['plugin', 'enable', 'hello', '--realm', 'demo'], site);
  const greeting = await eventually(async () => {
    const headers = { authorization: `Bearer ${alice.token}` };
    const answer = await fetchAnswer(`${trial.url}/realms/demo/hello/greeting`, { headers });
    return answer.status === 200 && answer.json;
  });
  t.deepEqual<unknown, unknown>(greeting, { text: 'Hello, alice' });
  t.is(await stopped(trial), 0);

  const stack = (await stranger.runs([process.execPath, '--input-type=module', '-e', THROWS], site)).stdout;
  t.regex(stack, /node_modules\/keyhost\/dist\/bundle\//);
  await writeFile(join(site, 'stack.txt'), stack);
  const told = await stranger.keyhost(['stack', 'stack.txt'], site);
  t.regex(told.stdout, /throwIfInvalid \(core\/config\/\S+\.ts:\d+:\d+\)/);

  const how = ['--hostname', 'https://id.example.test', '--proxy-headers', 'xforwarded', '--data-dir', 'production'];
  const production = await stranger.starts(['start', ...how], site, coverage);
  t.is(await issuerOf(production.url, PROXIED), 'https://id.example.test/realms/demo');
  const { status, text } = await tokenOf(production.url, PROXIED);
  t.is(status, 200, text);
  t.is(await stopped(production), 0);
  t.true(existsSync(join(site, 'production/keyhost.db')));

  const loaded = await loadedFiles(coverage);
  for (const one of [/\/node_modules\/keyhost\/dist\/bundle\/host\.js$/, /\/hello[^/]*\/dist\/index\.js$/])
    t.true(
      loaded.some((path) => one.test(path.replaceAll('\\', '/'))),
      `${one}`,
    );
  const elsewhere = loaded.filter((path) => !path.startsWith(stranger.dir + sep));
  t.deepEqual(elsewhere, [], 'nothing is loaded from outside the folder');
});

test('installed package: the package.json that keyhost init writes is one that npm installs', async (t) => {
  t.timeout(300_000);
  const stranger = await Stranger.arrives(t);
  const { stdout } = await stranger.runs(['npm', 'config', 'get', 'registry'], stranger.dir);
  const npm_config_registry = await npmRegistry(t, tarballs, stdout.trim());

  const first = await stranger.makes('first');
  await stranger.runs(['npm', 'install', 'keyhost'], first, { npm_config_registry });
  await stranger.keyhost(['init', 'identity'], first);
  const made = join(first, 'identity');
  await stranger.runs(['npm', 'install'], made, { npm_config_registry });
  const installed = JSON.parse(await readFile(join(made, 'node_modules/keyhost/package.json'), 'utf8'));
  t.true(tarballs.keyhost?.endsWith(`keyhost-${installed.version}.tgz`));
  await stranger.keyhost(['realm', 'check', 'realms'], made);
});
