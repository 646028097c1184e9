import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readManifest, SPI_DIR } from '../../core/commands/plugin/installation.js';
import { keyhost, ran } from '../helpers/command.js';
import { npmRegistry } from '../helpers/npm-registry.js';
import { run } from '../helpers/process.js';

const manifest = (name: string, more: object = {}) =>
  JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './index.js', ...more });

const source = (id: string, { open = '', more = '', imports = '' } = {}) => `${imports}
import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: '${id}', api: 1, providers: [provide(RealmResourceProvider, { id: '${id}', ${more}
  routes: { run: { method: 'GET', path: '/' } },
  open: (config) => { ${open}; return { create: () => ({ run: async () => ({ body: 1 }) }) }; } })] };
`;

async function put(dir: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
  return dir;
}

/** An operator's folder: plugins.json, realms and providers, far from any checkout. */
async function operator(t: ExecutionContext, files: Readonly<Record<string, string>> = {}) {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'keyhost-plugins-')));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const realm = {
    realm: 'shop',
    providers: { 'realm-restapi-extension': { hello: { enabled: true }, other: { enabled: false } } },
  };
  const standard = { 'plugins.json': '{ "plugins": [] }\n', 'realms/shop.json': JSON.stringify(realm, null, 2) };
  await put(dir, { ...standard, ...files });
  const run = (words: string, env: Record<string, string> = {}) =>
    keyhost(['plugin', ...words.split(' ')], { cwd: dir, env });
  return {
    dir,
    run,
    plugins: () => readFile(join(dir, 'plugins.json'), 'utf8'),
    /** The packages that lie there, and nothing half done. */
    providers: async () => (existsSync(join(dir, 'providers')) ? readdir(join(dir, 'providers')) : []),
  };
}

/** Starts the host in the operator's folder. */
function startIn(t: ExecutionContext, dir: string) {
  return run(t, dir, ['start-dev', '--providers-dir', join(dir, 'providers')]);
}

/** A package in the providers folder, as `keyhost plugin add` leaves one. */
function lying(dir: string, name: string, text = source(name)): Promise<string> {
  return put(join(dir, 'providers', name), {
    'package.json': manifest(name),
    'index.js': text,
    'node_modules/@keyhost/spi/package.json': '{ "version": "0.0.9", "exports": "./index.js", "type": "module" }',
    'node_modules/@keyhost/spi/index.js': `export * from ${JSON.stringify(import.meta.resolve('@keyhost/spi'))};`,
  });
}

/** The tarball of a package, and what npm would call it. */
async function tarball(t: ExecutionContext, files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-pack-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await put(join(dir, 'package'), files);
  const { stdout } = await ran('npm', ['pack', './package', '--silent', '--pack-destination', dir], { cwd: dir });
  return join(dir, stdout.trim());
}

test('keyhost plugin: add verifies and installs a folder, a tarball with dependencies and a registry name, and says how to enable it', async (t) => {
  const { dir, run, plugins, providers } = await operator(t);
  const dependency = await tarball(t, {
    'package.json': manifest('greetings', { scripts: { postinstall: 'touch ran-a-script' } }),
    'index.js': "export default 'Hello';",
  });
  const realmConfig =
    "realmConfig: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'], additionalProperties: false },";
  const hello = {
    'package.json': manifest('@acme/hello', {
      files: ['index.js'],
      dependencies: { greetings: `file:${dependency}` },
      devDependencies: { 'not-there-at-all': '1.0.0' },
      peerDependencies: { '@keyhost/spi': `^${(await readManifest(SPI_DIR)).version}` },
    }),
    'index.js': source('hello', { imports: "import word from 'greetings';", more: realmConfig }),
    'secret.txt': 'not for anybody',
  };
  const added = await run(`add ${await tarball(t, hello)}`);
  t.is(added.code, 0, added.stderr);
  t.regex(added.stdout, /^Installed @acme\/hello 1\.0\.0 in providers\/acme-hello, and added it to plugins\.json\.\n/);
  t.regex(added.stdout, /\nrealm-restapi-extension\/hello is enabled in shop\.\n$/);
  t.is(await plugins(), '{ "plugins": [{ "module": "@acme/hello" }] }\n');
  t.deepEqual(await providers(), ['acme-hello']);
  const folder = join(dir, 'providers/acme-hello');
  t.deepEqual((await readdir(folder)).sort(), ['index.js', 'node_modules', 'package.json']);
  t.deepEqual(await readdir(join(folder, 'node_modules/greetings')), ['index.js', 'package.json'], 'no script ran');

  const plain = await put(join(dir, 'plain'), { 'package.json': manifest('plain'), 'index.js': source('plain') });
  t.is((await run(`add ${plain}`)).code, 0);
  const registry = await npmRegistry(t, {
    named: await tarball(t, { 'package.json': manifest('named'), 'index.js': source('named') }),
  });
  const named = await run('add named@1', { npm_config_registry: registry });
  t.is(named.code, 0, named.stderr);
  t.deepEqual((await providers()).sort(), ['acme-hello', 'named', 'plain']);

  const listed = await run('list');
  t.is(listed.code, 0);
  t.is(
    listed.stdout,
    [
      '@acme/hello@1.0.0 (hello)  providers/acme-hello\n└─ realm-restapi-extension/hello  in shop',
      'plain@1.0.0  providers/plain\n└─ realm-restapi-extension/plain  in no realm',
      'named@1.0.0  providers/named\n└─ realm-restapi-extension/named  in no realm\n',
    ].join('\n'),
  );
});

test('keyhost plugin: add builds a folder by its scripts; a tarball runs none', async (t) => {
  const { dir, run, plugins, providers } = await operator(t);
  const text = source('fresh');
  const files = {
    'package.json': manifest('fresh', {
      files: ['index.js'],
      scripts: { prepack: 'node build.mjs', prepare: 'node -e "1"' },
    }),
    'index.js': source('fresh', { open: '/* an old build */' }),
    'build.mjs': `import { writeFileSync } from 'node:fs';
      writeFileSync(new URL('index.js', import.meta.url), ${JSON.stringify(text)});`,
  };
  const tarred = await tarball(t, {
    ...files,
    'package.json': manifest('fresh', { scripts: { install: 'node build.mjs' } }),
  });
  t.is((await run(`add ${tarred}`)).code, 0);
  const installed = () => readFile(join(dir, 'providers/fresh/index.js'), 'utf8');
  t.regex(await installed(), /an old build/);
  const fresh = await put(join(dir, 'fresh'), files);
  const added = await run(`add ${fresh} --force`);
  t.is(added.code, 0, added.stderr);
  t.is(await installed(), text);

  const before = await plugins();
  const fails = "console.log('src/index.ts(3,5): error TS2322: no string'); process.exit(2);";
  const broken = await put(join(dir, 'broken'), { ...files, 'build.mjs': fails });
  const { code, stderr } = await run(`add ${broken} --force`);
  t.is(code, 1);
  t.regex(
    stderr,
    /npm pack failed:\n {2}\$ node build\.mjs\n {2}src\/index\.ts\(3,5\): error TS2322: no string \[plugin_install_failed]\n {2}→ install its dev/,
  );
  t.deepEqual([await plugins(), await providers(), await installed()], [before, ['fresh'], text]);
});

test('keyhost plugin: a failing add changes nothing, and an existing plugin stays without --force', async (t) => {
  const { dir, run, plugins, providers } = await operator(t);
  const before = await plugins();
  const refused = async (words: string, expected: RegExp, env = {}) => {
    const { code, stdout, stderr } = await run(`add ${words}`, env);
    t.deepEqual([code, stdout], [1, '']);
    t.regex(stderr, expected);
    t.deepEqual([await plugins(), await providers()], [before, []]);
  };
  const broken = (name: string, text: string, more: object = {}) =>
    put(join(dir, name), { 'package.json': manifest(name, more), 'index.js': text });
  await refused(
    await broken('throws', 'throw new Error("no luck");'),
    /throws could not be imported: index.js:1:7: no luck/,
  );
  await refused(
    await broken('opens', source('opens', { open: 'throw new Error("no database")' })),
    /no database \[plugin_open_failed]/,
  );
  const spi = { peerDependencies: { '@keyhost/spi': '^9.0.0' } };
  await refused(
    await broken('newer', source('newer'), spi),
    /newer requires @keyhost\/spi \^9\.0\.0; this version of Keyhost has [\d.]+ \[plugin_api]/,
  );
  await refused('./nowhere.tgz', /\.\/nowhere\.tgz not found/);
  await refused('github:acme/hello', /github:acme\/hello not found/);
  await refused(await broken('exits', 'process.exit(0);'), /exits ended the process while it was loaded/);
  const registry = await npmRegistry(t, {});
  await refused('unknown-name', /npm pack failed:[\s\S]*404/, { npm_config_registry: registry });

  const good = await put(join(dir, 'good'), { 'package.json': manifest('good'), 'index.js': source('good') });
  t.is((await run(`add ${good}`)).code, 0);
  t.is((await run('lock')).code, 0);
  const locked = await plugins();
  await writeFile(join(good, 'index.js'), source('good', { open: '/* changed */' }));
  const again = await run(`add ${good}`);
  t.deepEqual(
    [again.code, /providers\/good already exists \[options_invalid]\n {2}→ --force/.test(again.stderr)],
    [1, true],
  );
  t.is(await plugins(), locked);
  const forced = await run(`add ${good} --force`);
  t.is(forced.code, 0, forced.stderr);
  t.regex(forced.stdout, /^Installed good 1\.0\.0 → 1\.0\.0 in providers\/good\. plugins\.json already lists it\.\n/);
  t.regex(await readFile(join(dir, 'providers/good/index.js'), 'utf8'), /changed/);
  t.not(await plugins(), locked, 'its integrity is written anew');
  t.is((await keyhost(['plugin', 'list'], { cwd: dir })).code, 0);

  const beside = await plugins();
  const copy = await put(join(dir, 'copy'), { 'package.json': manifest('copy'), 'index.js': source('good') });
  const same = await run(`add ${copy}`);
  t.deepEqual([same.code, same.stdout, await plugins(), await providers()], [1, '', beside, ['good']]);
  t.regex(
    same.stderr,
    /copy and good both have the name good \[plugin_duplicate_id]\n {2}→ give one of them another name/,
  );
  const text = source('good').replace("name: 'good'", "name: 'twin'");
  const grant = `provide(GrantType, { id: 'both', eventType: 'LOGIN', open: () => ({ create: () => ({ authorize: async () => ({}) }) }) })`;
  const realmConfig = "realmConfig: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },";
  const two = source('both', { more: realmConfig })
    .replace('import { provide', 'import { GrantType, provide')
    .replace('providers: [', `providers: [${grant}, `);
  const both = await put(join(dir, 'both'), { 'package.json': manifest('both'), 'index.js': two });
  t.regex(
    (await run(`add ${both}`)).stdout,
    /To enable it, add this to a realm file:\n {2}"providers": { "oauth2-grant-type": { "both": {"enabled":true} }, "realm-restapi-extension": { "both": {"enabled":true,"config":{"word":"…"}} } }\nOr run: keyhost plugin enable oauth2-grant-type\/both --realm NAME\nOr run: keyhost plugin enable realm-restapi-extension\/both --realm NAME\n$/,
  );
  const twin = await put(join(dir, 'twin'), { 'package.json': manifest('twin'), 'index.js': text });
  t.regex(
    (await run(`add ${twin}`)).stderr,
    /twin and good both provide realm-restapi-extension\/good \[plugin_duplicate_id]\n {2}→ give the provider another ID/,
  );
});

test('keyhost plugin: a plugin that requires configuration is installed, and its entry is printed to be completed', async (t) => {
  const { dir, run, plugins, providers } = await operator(t);
  const properties =
    "{ url: { type: 'string' }, names: { type: 'array', items: { type: 'string' } }, on: { type: 'boolean', default: true } }";
  const config = `config: { type: 'object', properties: ${properties}, required: ['url', 'names', 'on'] },`;
  const rights = "needs: { 'view-users': 'counts them' }, providers: [";
  const needy = await put(join(dir, 'needy'), {
    'package.json': manifest('needy'),
    'index.js': source('needy', { more: config }).replace('providers: [', rights),
  });
  const added = await run(`add ${needy}`);
  t.is(added.code, 0, added.stderr);
  t.deepEqual([await plugins(), await providers()], ['{ "plugins": [] }\n', ['needy']]);
  t.regex(added.stdout, /^Installed needy 1\.0\.0 in providers\/needy\.\n/);
  const entry = /Replace each … in this entry, and add it to the plugins of plugins\.json:\n {2}(\{.*\})\n/.exec(
    added.stdout,
  );
  t.deepEqual(JSON.parse(entry?.[1] ?? ''), {
    module: 'needy',
    grants: { '*': ['view-users'] },
    config: { 'realm-restapi-extension/needy': { url: '…', names: ['…'] } },
  });
  t.is((await run('list')).code, 0, 'what is listed is not broken');
  await writeFile(join(dir, 'plugins.json'), `{ "plugins": [${entry?.[1]}] }`);
  t.is((await run('verify providers/needy')).code, 0);
  const again = await run('add needy');
  t.regex(again.stdout, /^Installed needy .*already lists it\.\n/);
  t.notRegex(again.stdout, /Replace each/);
});

test('keyhost plugin: a plugin that asks for rights is added with --grant, and without it installed with the entry that grants them; the host starts either way', async (t) => {
  const { dir, run, plugins, providers } = await operator(t, { 'realms/shop.json': '{ "realm": "shop" }' });
  const asking = (needs: object) =>
    source('asking').replace('providers: [', `needs: ${JSON.stringify(needs)}, providers: [`);
  const folder = await put(join(dir, 'asking'), {
    'package.json': manifest('asking'),
    'index.js': asking({ 'view-users': 'counts them' }),
  });
  const starts = async () => {
    const { child, url, output, ended } = await startIn(t, dir);
    t.truthy(url, output());
    child.kill();
    await ended;
  };
  const added = await run(`add ${folder}`);
  t.is(added.code, 0, added.stderr);
  t.deepEqual([await plugins(), await providers()], ['{ "plugins": [] }\n', ['asking']]);
  t.regex(
    added.stdout,
    /^Installed asking 1\.0\.0 in providers\/asking\.\nIt asks for these rights, which are not granted:\n {2}view-users: counts them\nKeyhost does not load it without them\. Run keyhost plugin add asking --grant, or add this to the plugins of plugins\.json:\n {2}\{ "module": "asking", "grants": \{"\*":\["view-users"\]\} \}\n/,
  );
  await starts();
  const granted = await run('add asking --grant');
  t.regex(
    granted.stdout,
    /added it to plugins\.json\.\nIt now has these rights in every realm except master:\n {2}view-users/,
  );
  t.is(await plugins(), '{ "plugins": [{ "module": "asking", "grants": { "*": ["view-users"] } }] }\n');
  await starts();

  // A later version asks for more, and the operator has granted the earlier right in one realm alone.
  await writeFile(
    join(dir, 'plugins.json'),
    '{ "plugins": [{ "module": "asking", "grants": { "shop": ["view-users"] } }] }\n',
  );
  t.is((await run('lock')).code, 0);
  const before = await plugins();
  await writeFile(join(folder, 'index.js'), asking({ 'view-users': 'counts them', 'manage-users': 'deletes them' }));
  const refused = await run(`add ${folder} --force`);
  t.deepEqual([refused.code, refused.stdout, await plugins()], [1, '', before]);
  t.regex(
    refused.stderr,
    /asking requires rights that are not granted: manage-users \(deletes them\) \[plugin_grants]\n {2}→ with --grant, the command grants/,
  );
  await starts();
  const forced = await run(`add ${folder} --force --grant`);
  t.is(forced.code, 0, forced.stderr);
  t.regex(forced.stdout, /It has these rights:\n {2}view-users: .*\nIt now has .*\n {2}manage-users: deletes them\n/);
  t.regex(await plugins(), /"grants": \{ "shop": \["view-users"], "\*": \["manage-users"] }, "integrity": "sha512-/);
  t.notRegex(await plugins(), new RegExp(/"(sha512-[^"]+)"/.exec(before)?.[1]?.replace(/[+/]/g, '.') ?? '-'));
  await starts();
});

test('keyhost plugin: a provider of an SPI that no plugin declares is not added, nor one that declares an SPI differently', async (t) => {
  const { dir, run, plugins, providers } = await operator(t);
  const contract = (method: string) =>
    `import { spi } from '@keyhost/spi'; export const Channel = spi({ id: 'acme-channel', name: 'Channel', methods: { required: ['${method}'] } });`;
  const plugin = (name: string, method: string, declares: boolean) =>
    put(join(dir, name), {
      'package.json': manifest(name, { files: ['*.js'] }),
      'contract.js': contract(method),
      'index.js': `import { provide } from '@keyhost/spi'; import { Channel } from './contract.js';
export default { name: '${name}', api: 1, spis: [${declares ? 'Channel' : ''}],
  providers: [provide(Channel, { id: '${name}', open: () => ({ create: () => ({ ${method}: async () => {} }) }) })] };`,
    });
  const sms = await plugin('sms', 'send', false);
  const alone = await run(`add ${sms}`);
  t.deepEqual([alone.code, await plugins(), await providers()], [1, '{ "plugins": [] }\n', []]);
  t.regex(alone.stderr, /sms implements the SPI acme-channel, which no plugin declares \[plugin_spi]/);
  t.is((await run(`add ${await plugin('channels', 'send', true)}`)).code, 0);
  t.is((await run(`add ${sms}`)).code, 0);
  const other = await run(`add ${await plugin('others', 'sends', true)}`);
  t.regex(other.stderr, /others and channels declare the SPI acme-channel differently \[plugin_spi]/);
  t.is(await plugins(), '{ "plugins": [{ "module": "channels" }, { "module": "sms" }] }\n');
  t.regex(
    (await run('remove channels')).stdout,
    /^Removed channels [\s\S]*\nsms implements the SPI acme-channel, which no plugin declares: remove it, too, or no server starts\n$/,
  );
});

test('keyhost plugin: the example of a realm file has the settings that a provider requires', async (t) => {
  const { dir, run } = await operator(t);
  const settings =
    "settings: { type: 'object', properties: { word: { type: 'string', title: 'W' }, size: { type: 'integer', title: 'S' }, hosts: { type: 'array', items: { type: 'string' }, title: 'H' } }, required: ['word', 'size', 'hosts'] }";
  const described = `describe: { displayName: 'A' }, ${settings}`;
  const open = (method: string) => `open: () => ({ create: () => ({ ${method}: async () => ({}) }) })`;
  const all = `import { provide, Authenticator, ClientAuthenticator, ClientPolicyCondition, ClientRegistrationPolicy, FormAction, ProtocolMapper, RequiredAction, Validator } from '@keyhost/spi';
export default { name: 'needy', api: 1, providers: [
  provide(Validator, { id: 'v', ${described}, ${open('check')} }),
  provide(Authenticator, { id: 'a', ${described}, ${open('authenticate')} }),
  provide(ClientAuthenticator, { id: 'p', authMethods: ['private_key_jwt'], ${described}, ${open('authenticate')} }),
  provide(FormAction, { id: 'f', ${described}, ${open('validate')} }),
  provide(ClientPolicyCondition, { id: 'c', events: ['REGISTER'], ${described}, ${open('vote')} }),
  provide(ClientRegistrationPolicy, { id: 'r', ${described}, open: () => ({ create: () => ({ beforeRegister: async () => ({}) }) }) }),
  provide(ProtocolMapper, { id: 'm', ${described}, ${open('map')} }),
  provide(RequiredAction, { id: 'q', displayText: 'Q', ${settings}, open: () => ({ create: () => ({ challenge: async () => ({}), action: async () => ({}) }) }) }),
] };`;
  await lying(dir, 'needy', all);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [{ "module": "needy" }] }');
  // For flows, mappers, actions and clients, a realm stores texts only; the items of a list are in one text.
  const texts = '"word":"…","size":"…","hosts":"…"';
  const values = '{"word":"…","size":"…","hosts":["…"]}';
  const listed = '{"word":["…"],"size":["…"],"hosts":["…"]}';
  for (const [id, example] of [
    ['v', `"validations": { "v": ${values} } of an attribute`],
    [
      'a',
      `"authenticatorConfig": "a" } among the authenticationExecutions of a flow, and "authenticatorConfig": [{"alias":"a","config":{${texts}}}]`,
    ],
    ['f', `of the form-flow of the registration, and "authenticatorConfig": [{"alias":"f","config":{${texts}}}]`],
    ['p', `"clients": [{ "clientId": "app", "clientAuthenticatorType": "p", "attributes": {${texts}} }]`],
    ['c', `"conditions": [{ "condition": "c", "configuration": ${values} }]`],
    ['r', `"providerId": "r", "subType": "authenticated", "config": ${listed} }]`],
    [
      'm',
      `"config": {"id.token.claim":"true","access.token.claim":"true","userinfo.token.claim":"true","introspection.token.claim":"true",${texts}} }]`,
    ],
    ['q', `"providerId": "q", "name": "q", "enabled": true, "config": {${texts}} }]`],
  ] as const) {
    const { code, stderr } = await run(`enable ${id} --realm shop`);
    t.is(code, 1, stderr);
    t.true(stderr.includes(example), stderr);
  }
});

test('keyhost plugin: verify reports every stage that was passed, and where it ended', async (t) => {
  const { dir, run } = await operator(t);
  const config =
    "config: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'], additionalProperties: false },";
  await lying(dir, 'hello', source('hello'));
  await lying(
    dir,
    'needy',
    source('needy', { more: config, open: 'if (config.url !== "x") throw new Error("opened")' }),
  );
  await lying(dir, 'broken', source('broken', { more: "realmConfig: { type: 'nonsense' }," }));

  const good = await run('verify providers/hello');
  t.is(good.code, 0, good.stdout + good.stderr);
  t.regex(
    good.stdout,
    /^✔ package {3}hello 1\.0\.0, with @keyhost\/spi 0\.0\.9 in \S+; Keyhost replaces it with [\d.]+\n✔ import {4}\d+ ms\n✔ shape {5}plugin hello, api 1\n✔ provider {2}realm-restapi-extension\/hello, version 1 of 1\n✔ open {6}1 of 1, [\d.]+ ms; closed again\n✔ create {4}1 of 1 have the required methods\nKeyhost [\d.]+ can load hello\n$/,
  );
  const needy = await run('verify providers/needy');
  t.is(needy.code, 0);
  t.regex(
    needy.stdout,
    /open {6}skipped: requires configuration in plugins\.json: realm-restapi-extension\/needy "url" is missing\n/,
  );
  const entry = (url: unknown) => ({ module: 'needy', config: { 'realm-restapi-extension/needy': { url } } });
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [entry('x')] }));
  t.regex((await run('verify providers/needy')).stdout, /open {6}1 of 1/);
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [entry(1)] }));
  const wrong = await run('verify providers/needy');
  t.is(wrong.code, 1);
  t.regex(
    wrong.stdout,
    /✘ keyhost: needy is not configured correctly \[plugin_config]\n.*plugins\.json:1:\d+ .*url: must be a string/,
  );
  const broken = await run('verify providers/broken');
  t.is(broken.code, 1);
  t.regex(
    broken.stdout,
    /✔ import.*\n✘ keyhost: broken: realm-restapi-extension\/broken: realmConfig is not a valid JSON Schema: type is "nonsense": it must be one of object, array/,
  );
  const refused = async (name: string, text: string, expected: RegExp) => {
    await lying(dir, name, text);
    t.regex((await run(`verify providers/${name}`)).stdout, expected);
  };
  const typo = "realmConfig: { type: 'object', properties: { a: { type: 'string', defualt: 'x' } } },";
  await refused(
    'typo',
    source('typo', { more: typo }),
    /properties\.a\.defualt is not a keyword .*did you mean "default"\?/,
  );
  await refused('old', source('old').replace('api: 1,', ''), /"api" is required: .*\n {2}→ add api: 1/);
  await refused(
    'renamed',
    source('renamed').replace('run: async', 'runs: async'),
    /✘ .* returned no method run .*\n.*it has runs: did you mean run\?/,
  );
  const taken = source('taken')
    .replace("id: 'taken'", "id: 'jboss-logging'")
    .replaceAll('RealmResourceProvider', 'EventListener');
  await refused(
    'taken',
    taken.replace(/routes: .*/, '').replace('run: async', 'onEvent: async'),
    /✘ keyhost: taken provides events-listener\/jboss-logging, which Keyhost provides itself \[plugin_duplicate_id]\n {2}→ choose another ID/,
  );
  t.regex((await run('verify realms')).stdout, /✘ keyhost: .*realms does not contain a package \[plugin_missing]/);
  t.regex((await run('verify nowhere')).stdout, /✘ keyhost: .*nowhere not found/);
  t.regex(
    (await run('verify plugins.json')).stdout,
    /is a file, not the folder of a package.*\n.*unpack a tarball first/,
  );
  await put(join(dir, 'providers/odd'), { 'package.json': '{\n  "name": "odd",\n}' });
  t.regex((await run('verify providers/odd')).stdout, /package\.json is not JSON: see line 3, column 1/);
  await rm(join(dir, 'providers/odd'), { recursive: true });
  await lying(dir, 'ends', 'process.exit(0);');
  t.regex((await run('verify providers/ends')).stderr, /✘ keyhost: ends ended the process while it was loaded/);
  for (const name of ['typo', 'old', 'renamed', 'taken', 'ends'])
    await rm(join(dir, 'providers', name), { recursive: true });

  await chmod(join(dir, 'providers/hello'), 0o777);
  const listed = await run('list');
  t.is(listed.code, 1);
  t.regex(
    listed.stdout,
    /needy is not configured correctly[\s\S]*\nIn providers but not in plugins\.json: broken, hello\n$/,
  );
});

test('keyhost plugin: remove can delete the folder, and reports the places that still name the plugin', async (t) => {
  const realm =
    '{\n  "realm": "shop",\n  "providers": { "realm-restapi-extension": { "hello": { "enabled": true } } }\n}\n';
  const list =
    '{\n  "plugins": [\n    { "module": "first" },\n    { "module": "hello", "required": false },\n    { "module": "last" }\n  ]\n}\n';
  const { dir, run, plugins, providers } = await operator(t, { 'realms/shop.json': realm, 'realms/broken.json': '{' });
  for (const name of ['first', 'hello', 'last']) {
    await lying(dir, name);
  }
  await writeFile(join(dir, 'plugins.json'), list);
  const removed = await run('remove hello');
  t.is(removed.code, 0, removed.stderr);
  t.is(
    removed.stdout,
    'Removed hello from plugins.json\nKept providers/hello\nRealm files still name its providers:\n  realms/shop.json:3:47 realm-restapi-extension/hello\n',
  );
  t.is(await plugins(), list.replace('    { "module": "hello", "required": false },\n', ''));
  t.regex(
    (await run('add hello')).stdout,
    /Installed hello 1\.0\.0 in providers\/hello, and added it to plugins\.json/,
  );
  t.regex(await plugins(), /\n {4}{ "module": "last" },\n {4}{ "module": "hello" }\n {2}]/);
  const deleted = await run('remove hello --delete');
  t.regex(deleted.stdout, /Deleted providers\/hello/);
  t.deepEqual(await providers(), ['first', 'last']);
  const unknown = await run('remove hello');
  t.is(unknown.code, 1);
  t.regex(unknown.stderr, /hello is not in plugins\.json[\s\S]*plugins\.json names first, last/);
});

test('keyhost plugin: a locked plugin starts until a file of it is changed', async (t) => {
  const { dir, run, plugins } = await operator(t, { 'realms/shop.json': '{ "realm": "shop" }' });
  for (const name of ['one', 'two']) {
    await lying(dir, name);
    t.is((await run(`add ${name}`)).code, 0);
  }
  const locked = await run('lock two');
  t.regex(locked.stdout, /^two@1\.0\.0 sha512-[\w+/]{86}==\n$/);
  const entries = JSON.parse(await plugins()).plugins as { module: string; integrity?: string }[];
  t.deepEqual(
    entries.map(({ integrity }) => integrity === undefined),
    [true, false],
  );
  await run('lock');
  t.true(JSON.parse(await plugins()).plugins.every(({ integrity }: { integrity?: string }) => integrity !== undefined));
  t.is((await run('list')).code, 0);
  await writeFile(join(dir, 'providers/one/more.js'), '');
  const changed = await run('list');
  t.is(changed.code, 1);
  t.regex(
    changed.stdout,
    /one does not match its integrity in plugins\.json \[plugin_integrity]\n.*"keyhost plugin lock one"/,
  );
  t.regex((await run('lock three')).stderr, /three is not in plugins\.json/);
});

test('keyhost plugin: every command has --help, and a typing error gets suggestions', async (t) => {
  const { run, dir } = await operator(t);
  for (const command of ['new', 'list', 'verify', 'add', 'remove', 'lock', 'status']) {
    const { code, stdout } = await run(`${command} --help`);
    t.is(code, 0);
    t.true(stdout.startsWith(`Usage: keyhost plugin ${command}`), stdout);
    t.regex(stdout, /Exit code: 0/);
  }
  t.is((await keyhost(['plugin'], { cwd: dir })).code, 2);
  t.regex((await keyhost(['plugin', '--help'], { cwd: dir })).stdout, /^ {2}verify +\w/m);
  t.regex(
    (await run('install x')).stderr,
    /unknown command "plugin install"[\s\S]*new, list, verify, add, remove, enable, disable, lock, status, reload, rollback/,
  );
  t.regex((await run('list --forse')).stderr, /unknown option --forse \[options_invalid]/);
});
