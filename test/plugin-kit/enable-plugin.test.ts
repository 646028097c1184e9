import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { keyhost } from '../helpers/command.js';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { run } from '../helpers/process.js';

const RESOURCE = `import { EventListener, provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'greetings', api: 1, providers: [
  provide(RealmResourceProvider, { id: 'hello', routes: { run: { method: 'GET', path: '/' } },
    open: () => ({ create: () => ({ run: async () => ({ body: { text: 'Hello' } }) }) }) }),
  provide(RealmResourceProvider, { id: 'strict', routes: { run: { method: 'GET', path: '/' } },
    realmConfig: { type: 'object', properties: { secret: { type: 'string' } }, required: ['secret'] },
    open: () => ({ create: () => ({ run: async () => ({ body: 1 }) }) }) }),
  provide(EventListener, { id: 'keen', realmConfig: { type: 'object', required: ['address', 'size'],
      properties: { address: { type: 'string' }, size: { type: 'integer', default: 3 } } },
    open: () => ({ create: () => ({ onEvent: async () => {} }) }) }),
  provide(RealmResourceProvider, { id: 'keeper', routes: { run: { method: 'GET', path: '/' } },
    sharesConfig: 'events-listener/keen', realmConfig: { type: 'object', required: ['address', 'size'],
      properties: { address: { type: 'string' }, size: { type: 'integer', default: 3 } } },
    open: () => ({ create: () => ({ run: async () => ({ body: 1 }) }) }) }),
  provide(EventListener, { id: 'diary', open: () => ({ create: () => ({ onEvent: async () => {} }) }) }),
] };
`;

/** Written by hand: four spaces, a list on one line, no line end at the end. */
const FILE = `{
    "realm": "shop", "enabled": true,
    "clients": [ { "clientId": "web", "redirectUris": ["http://localhost/*"] } ]
}`;

async function operator(t: ExecutionContext) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'keyhost-enable-')));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const plugin = join(dir, 'providers', 'hello');
  await mkdir(join(plugin, 'node_modules/@keyhost/spi'), { recursive: true });
  await mkdir(join(dir, 'realms'));
  const manifest = { name: 'hello', version: '1.0.0', type: 'module', exports: './index.js' };
  const spi = { version: '0.1.0', exports: './index.js', type: 'module' };
  for (const [path, text] of [
    ['plugins.json', '{ "plugins": [{ "module": "hello" }] }'],
    ['realms/shop.json', FILE],
    ['providers/hello/package.json', JSON.stringify(manifest)],
    ['providers/hello/index.js', RESOURCE],
    ['providers/hello/node_modules/@keyhost/spi/package.json', JSON.stringify(spi)],
    [
      'providers/hello/node_modules/@keyhost/spi/index.js',
      `export * from ${JSON.stringify(import.meta.resolve('@keyhost/spi'))};`,
    ],
  ] as const)
    await writeFile(join(dir, path), text);
  const plugins = (words: string) => keyhost(['plugin', ...words.split(' ')], { cwd: dir });
  return { dir, plugins, file: () => readFile(join(dir, 'realms/shop.json'), 'utf8') };
}

test('keyhost plugin enable: it writes the key of the realm file alone and reports the place, and a running host follows', async (t) => {
  const { dir, plugins, file } = await operator(t);
  const host = await run(t, dir, ['start-dev', '--providers-dir', join(dir, 'providers')]);
  const status = async () => (await fetchAnswer(`${host.url}/realms/shop/hello`)).status;
  t.is(await status(), 404, host.output());

  const enabled = await plugins('enable hello --realm shop');
  t.is(enabled.code, 0, enabled.stderr);
  const place = /^realms\/shop\.json:(\d+):\d+ realm-restapi-extension\/hello is enabled in realm shop\n$/.exec(
    enabled.stdout,
  );
  const written = await file();
  const line = '    "providers": { "realm-restapi-extension": { "hello": { "enabled": true } } }';
  t.is(written, `${FILE.slice(0, -2)},\n${line}\n}`);
  t.is(written.split('\n')[Number(place?.[1]) - 1], line, enabled.stdout);
  await eventually(async () => (await status()) === 200);

  const again = await plugins('enable realm-restapi-extension/hello --realm shop');
  t.regex(again.stdout, /was already enabled/);
  t.is(await file(), written);

  const disabled = await plugins('disable hello --realm shop');
  t.regex(disabled.stdout, /is disabled in realm shop/);
  t.is(await file(), written.replace('"enabled": true }', '"enabled": false }'));
  await eventually(async () => (await status()) === 404);
  t.deepEqual(await readdir(join(dir, 'realms')), ['shop.json']);
});

test('keyhost plugin enable: in a list of realms the key of the one that is meant is written', async (t) => {
  const { dir, plugins, file } = await operator(t);
  const other = '{ "realm": "other", "enabled": true }';
  await writeFile(join(dir, 'realms/shop.json'), `[${other},\n${FILE}]`);
  const enabled = await plugins('enable hello --realm shop');
  t.is(enabled.code, 0, enabled.stderr);
  const line = '    "providers": { "realm-restapi-extension": { "hello": { "enabled": true } } }';
  t.is(await file(), `[${other},\n${FILE.slice(0, -2)},\n${line}\n}]`);
  t.regex(enabled.stdout, /^realms\/shop\.json:5:\d+ /);
  t.is((await plugins('enable diary --realm other')).code, 0);
  const [first, second] = JSON.parse(await file());
  t.deepEqual([first.eventsListeners, second.eventsListeners], [['jboss-logging', 'diary'], undefined]);
  t.regex((await plugins('list')).stdout, /shop[\s\S]*other|other[\s\S]*shop/);
  const none = await plugins('enable hello --realm shoop');
  t.regex(none.stderr, /no file in .*realms defines the realm "shoop".*\n.*they define other, shop/);
  const bad = `[${other}, { "realm": "shop", "providers": [] }]`;
  await writeFile(join(dir, 'realms/shop.json'), bad);
  t.regex((await plugins('enable hello --realm shop')).stderr, /shop\.json:1:\d+ \[1]\.providers: must be an object/);
  t.is(await file(), bad);
});

test('keyhost plugin enable: a listener of events joins the list that the realm has, and leaves it', async (t) => {
  const { plugins, file } = await operator(t);
  t.is((await plugins('enable diary --realm shop')).code, 0);
  t.deepEqual(JSON.parse(await file()).eventsListeners, ['jboss-logging', 'diary']);
  t.is((await plugins('disable diary --realm shop')).code, 0);
  t.deepEqual(JSON.parse(await file()).eventsListeners, ['jboss-logging']);
});

test('keyhost plugin enable: what cannot be enabled is reported with the alternatives, and the file stays as it is', async (t) => {
  const { dir, plugins, file } = await operator(t);
  const before = await stat(join(dir, 'realms/shop.json'));
  for (const [words, expected] of [
    ['enable helo --realm shop', /no plugin in plugins\.json provides "helo".*\n.*did you mean "hello"/],
    [
      'enable greetings --realm shop',
      /"greetings" is the name of several providers.*\n.*use realm-restapi-extension\/hello or/,
    ],
    ['enable hello --realm shoop', /no file in .*realms defines the realm "shoop".*\n.*they define shop/],
    ['enable hello', /--realm is required/],
    ['enable strict --realm shop', /strict requires secret.*\n.*"config":\{"secret"/],
    [
      'enable keen --realm shop',
      /events-listener\/keen requires address \[.*\n.*"config":\{"address":"…"\}.*"eventsListeners"/,
    ],
    ['enable keeper --realm shop', /keeper requires address \[.*\n.*"events-listener":\{"keen":\{"config":\{"address"/],
    ['enable hello --realm shop --realms-dir nowhere', /cannot read the realms folder .*nowhere/],
  ] as const) {
    const { code, stderr } = await plugins(words);
    t.is(code, 1, words);
    t.regex(stderr, expected, words);
    t.notRegex(stderr, /\n\s+at /, words);
  }
  await writeFile(join(dir, 'realms/aaa.json'), '{ "realm": ');
  const broken = await plugins('enable hello --realm shop');
  t.regex(broken.stderr, /realms\/aaa\.json is not valid JSON \[realm_invalid]\n {2}\S*aaa\.json:1:\d+/);
  await writeFile(join(dir, 'realms/aaa.json'), '{ "realm": "odd", "providers": [] }');
  const odd = await plugins('enable hello --realm odd');
  t.regex(odd.stderr, /cannot edit \S*aaa\.json \[realm_invalid]\n {2}\S*aaa\.json:1:\d+ providers: must be an object/);
  t.is((await stat(join(dir, 'realms/shop.json'))).mtimeMs, before.mtimeMs);
  t.is(await file(), FILE);
});

test('keyhost plugin enable: required settings with a default, or of the owner of a shared configuration, are not asked for', async (t) => {
  const { dir, plugins, file } = await operator(t);
  const config = { 'events-listener': { keen: { config: { address: 'x' } } } };
  await writeFile(join(dir, 'realms/shop.json'), JSON.stringify({ realm: 'shop', providers: config }));
  for (const id of ['keen', 'keeper']) t.is((await plugins(`enable ${id} --realm shop`)).code, 0);
  const { eventsListeners, providers } = JSON.parse(await file());
  t.deepEqual(eventsListeners, ['jboss-logging', 'keen']);
  t.true(providers['realm-restapi-extension'].keeper.enabled);
});
