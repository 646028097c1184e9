import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import type { BootError, BootErrorCode } from '../../core/config/boot-error.js';
import { parseOptions } from '../../core/config/options/options.js';
import { Log } from '../../core/di/host-tokens.js';
import { replacing } from '../../core/di/module.js';
import { createHost } from '../../core/host/host.js';
import { packageIntegrity } from '../../core/registry/loading/package-integrity.js';
import { PluginTimeout } from '../../core/registry/module.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { COMMAND } from '../helpers/process.js';

const DIST = fileURLToPath(new URL('../../', import.meta.url));

const resourceSource = (
  id: string,
  open = '() => ({ create: () => ({ hello: async () => ({ body: {} }) }) })',
  more = '',
) =>
  `provide(RealmResourceProvider, { id: '${id}', ${more} routes: { hello: { method: 'GET', path: '/' } }, open: ${open} })`;
const pluginSource = (providers: string, api = '1') =>
  `import { provide, RealmResourceProvider, ActionTokenHandler } from '@keyhost/spi';
   export default { name: 'p', api: ${api}, providers: [${providers}] };`;

/** A providers folder inside the build output, where `@keyhost/spi` resolves as it does for a real plugin. */
async function pluginsFolder(t: ExecutionContext, packages: Record<string, string>): Promise<string> {
  const dir = await mkdtemp(join(DIST, 'plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'providers'));
  await mkdir(join(dir, 'realms'));
  for (const [name, source] of Object.entries(packages)) {
    await mkdir(join(dir, 'providers', name));
    await writeFile(
      join(dir, 'providers', name, 'package.json'),
      JSON.stringify({ name, version: '1.2.3', type: 'module', exports: './index.js' }),
    );
    await writeFile(join(dir, 'providers', name, 'index.js'), source);
  }
  return dir;
}

const options = (dir: string, plugins = join(dir, 'plugins.json')) => [
  '--http-port',
  '0',
  '--grpc-port',
  '0',
  '--management-port',
  '0',
  '--realms-dir',
  join(dir, 'realms'),
  '--providers-dir',
  join(dir, 'providers'),
  '--plugins-file',
  plugins,
];

async function boot(t: ExecutionContext, dir: string, plugins: string | object, pluginTimeoutMs = 10_000) {
  await writeFile(join(dir, 'plugins.json'), typeof plugins === 'string' ? plugins : JSON.stringify(plugins, null, 2));
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const host = await createHost(parseOptions(options(dir), {}, 'start-dev'), {
    replace: [
      replacing(Log, logger),
      replacing(Store, await openMemoryStore()),
      replacing(PluginTimeout, pluginTimeoutMs),
    ],
  });
  t.teardown(() => host.close());
  return host;
}

async function startupError(
  t: ExecutionContext,
  packages: Record<string, string>,
  entry: object = { module: 'p' },
  otherEntries: object[] = [],
  limit = 10_000,
) {
  const dir = await pluginsFolder(t, packages);
  const error = (await t.throwsAsync(boot(t, dir, { plugins: [entry, ...otherEntries] }, limit))) as BootError;
  return { code: error.code, report: error.report?.().replaceAll(dir, '.') ?? String(error) };
}

test('boot errors of plugins: a missing package lists existing ones and a suggestion', async (t) => {
  const { code, report } = await startupError(
    t,
    { newsletter: pluginSource(resourceSource('a')) },
    { module: 'newsleter' },
  );
  t.is(code, 'plugin_missing');
  t.regex(
    report,
    /newsleter is not in .*providers \[plugin_missing]\n {2}→ did you mean newsletter\? it holds newsletter/,
  );
});

for (const isolation of ['none', 'worker']) {
  test(`boot errors of plugins: a package that is not built, lacks a dependency, or throws on import is reported (${isolation})`, async (t) => {
    const entry = { module: 'p', isolation };
    const missing = await startupError(t, { p: "import 'not-there-at-all';" }, entry);
    t.is(missing.code, 'plugin_dependency_missing');
    t.regex(missing.report, /p requires not-there-at-all.*\n {2}→ npm install not-there-at-all/);
    const failures: [string, string][] = [
      ["throw new Error('on import');", 'index.js:1:7: on import'],
      ['const a = 1;\nconst b = {} }', "index.js:2:14: Unexpected token '}'"],
      ['export default {', 'index.js:1:17: Unexpected end of input'],
      ["import { none } from './index.js';", "index.js:1:10: The requested module './index.js' does not provide an"],
      ['function f() {\n  nope();\n}\nf();', 'index.js:2:3: nope is not defined'],
      ["JSON.parse('{x')", 'index.js:1:6: Expected property name'],
    ];
    for (const [source, told] of failures) {
      const { code, report } = await startupError(t, { p: source }, entry);
      t.is(code, 'plugin_import_failed', source);
      t.true(report.startsWith(`keyhost: p could not be imported: ${told}`), report);
    }
    t.is(
      (
        await startupError(
          t,
          { p: 'await new Promise(() => { setInterval(() => {}, 1000).unref(); });' },
          entry,
          [],
          300,
        )
      ).code,
      'plugin_open_timeout',
    );
    const dir = await pluginsFolder(t, { p: '' });
    await rm(join(dir, 'providers/p/index.js'));
    const unbuilt = (await t.throwsAsync(boot(t, dir, { plugins: [entry] }))) as BootError;
    t.deepEqual([unbuilt.code, unbuilt.hint], ['plugin_import_failed', 'build the package: npm run build']);
  });

  test(`boot errors of plugins: work beside requests that is not declared, or declared and not there, is refused with the plugin’s name (${isolation})`, async (t) => {
    const works = (declared: string, method: string) =>
      pluginSource(
        resourceSource(
          'a',
          `() => ({ create: ({ store }) => { void store.get('x'); return { hello: async () => ({ body: {} }), ${method} }; } })`,
          declared,
        ),
      );
    const schedule = 'schedule: { every: 60 },';
    const scheduled = 'scheduled: async () => undefined';
    const background = 'background: async () => undefined';
    for (const [declared, method, reason] of [
      ['', scheduled, 'has a method scheduled, but does not declare a schedule in provide()'],
      [schedule, '', 'declares a schedule, but what create returns has no method scheduled'],
      ['', background, 'has a method background, but does not declare background: true in provide()'],
      ['background: true,', '', 'declares background: true, but what create returns has no method background'],
    ] as const) {
      const { code, report } = await startupError(t, { p: works(declared, method) }, { module: 'p', isolation });
      t.is(code, 'plugin_shape', report);
      t.true(report.includes(`p: realm-restapi-extension/a ${reason}`), report);
    }
    const both = works(`${schedule} background: true,`, `${scheduled}, ${background}`);
    const named = pluginSource(
      "provide(RealmResourceProvider, { id: 'b', routes: { scheduled: { method: 'GET', path: '/' } }, open: () => ({ create: () => ({ scheduled: async () => ({ body: {} }) }) }) })",
    );
    const asks = pluginSource(
      resourceSource('c', '() => ({ create: (session, { rules }) => ({ hello: async () => ({ body: rules.all }) }) })'),
    );
    for (const source of [both, named, asks]) {
      await t.notThrowsAsync(boot(t, await pluginsFolder(t, { p: source }), { plugins: [{ module: 'p', isolation }] }));
    }
  });

  test(`boot errors of plugins: a wrong shape or a wrong api is refused with the plugin’s name (${isolation})`, async (t) => {
    const entry = { module: 'p', isolation };
    const shapes = [
      'export const x = 1;',
      'export default { name: "p", api: 1 };',
      'export default { name: "p", api: 1, providers: [{}] };',
      pluginSource(resourceSource('a b')),
      pluginSource(resourceSource('a', '() => 1')),
      pluginSource(resourceSource('a', undefined, "realmConfig: { type: 'nonsense' },")),
      pluginSource(resourceSource('a', undefined, "config: { type: 'nonsense' },")),
      pluginSource("provide(RealmResourceProvider, { id: 'a', routes: {}, open: () => ({ create: () => ({}) }) })"),
      pluginSource(
        "provide({ id: 'realm-restapi-extensio', check() {} }, { id: 'a', open: () => ({ create: () => ({}) }) })",
      ),
    ];
    for (const source of shapes) {
      const { code, report } = await startupError(t, { p: source }, entry);
      t.is(code, 'plugin_shape', source);
      t.regex(report, /\bp\b/);
    }
    t.is((await startupError(t, { p: pluginSource(resourceSource('a'), '999') }, entry)).code, 'plugin_api');
    const scoped = pluginSource(
      resourceSource('a').replace("path: '/'", "path: '/', scope: 'a', authentication: 'client'"),
    );
    t.regex(
      (await startupError(t, { p: scoped }, entry)).report,
      /routes\.hello\.scope requires authentication "bearer"/,
    );
    const twice = pluginSource(resourceSource('a').replace('routes: {', "routes: { hi: { method: 'GET', path: '/' },"));
    t.regex((await startupError(t, { p: twice }, entry)).report, /routes\.hello serves GET \/, as routes\.hi does/);
    const told: [string, RegExp][] = [
      ['realmconfig: {},', /unknown member "realmconfig" of provide\(\).*\n {2}→ did you mean realmConfig\?/],
      [
        'timeout: 5,',
        /unknown member "timeout" of provide\(\).*\n {2}→ known members: routes, id, version, config, realmConfig, sharesConfig, background, schedule, open/,
      ],
      [
        "realmConfig: { type: 'object', properties: { a: { type: 'string', default: 5 } } },",
        /realmConfig: properties\.a\.default must be a string/,
      ],
      [
        "config: { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/$defs/b' }, default: ['x', 1] } }, $defs: { b: { type: 'string' } } },",
        /config: properties\.a\.default\.\[?1\]? must be a string/,
      ],
    ];
    for (const [more, expected] of told) {
      const { code, report } = await startupError(t, { p: pluginSource(resourceSource('a', undefined, more)) }, entry);
      t.is(code, 'plugin_shape', more);
      t.regex(report, expected);
    }
  });
}

test('boot errors of plugins: a plugin may keep its worker busy for as long as an import and an open may take', async (t) => {
  const busy = 'const end = Date.now() + 4000; while (Date.now() < end);';
  const source = `${busy} ${pluginSource(resourceSource('a', `() => { ${busy} return { create: () => ({}) }; }`))}`;
  const dir = await pluginsFolder(t, { p: source });
  const host = await boot(t, dir, { plugins: [{ module: 'p', isolation: 'worker' }] }, 60_000);
  t.regex(host.bootTree, /p@1.2.3/);
});

test('boot errors of plugins: a failure in a worker during loading fails the boot for a required plugin, and leaves an optional one out', async (t) => {
  // The wait uses no processor time, and the limit is longer than any machine needs to load a plugin.
  const hangs = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';
  const limit = 10_000;
  const cases: [string, string, RegExp, number?][] = [
    ['process.exit(0);', 'plugin_open_exit', /its worker ended during the import: it ended with code 0/],
    [hangs, 'plugin_open_timeout', /importing it took longer than 10 s/, limit],
    [
      pluginSource(resourceSource('a', '() => process.exit(3)')),
      'plugin_open_failed',
      /its worker went down: it ended with code 3/,
    ],
    [
      pluginSource(resourceSource('a', `() => { ${hangs} }`)),
      'plugin_open_timeout',
      /open of .*\/a took longer than 10 s/,
      limit,
    ],
    [
      pluginSource(resourceSource('a', undefined, 'extra: () => 1,')),
      'plugin_shape',
      /\/a declares declaration.extra, a function/,
    ],
    [pluginSource(resourceSource('a', '() => { throw "no database"; }')), 'plugin_open_failed', /no database/],
  ];
  for (const [source, code, message, ms] of cases) {
    const refused = await startupError(t, { p: source }, { module: 'p', isolation: 'worker' }, [], ms);
    t.is(refused.code, code as BootErrorCode, source);
    t.regex(refused.report, message);
    const dir = await pluginsFolder(t, { p: source, q: pluginSource(resourceSource('good')).replace("'p'", "'q'") });
    const entries = [{ module: 'p', isolation: 'worker', required: false }, { module: 'q' }];
    const host = await boot(t, dir, { plugins: entries }, ms);
    t.regex(host.bootTree, /q@1.2.3 .*\n└─ realm-restapi-extension\/good/);
    const health = (await (await fetch(`${host.managementUrl}/health`)).json()) as {
      status: string;
      plugins: object[];
    };
    t.is(health.status, 'UP');
    t.deepEqual(health.plugins, [
      { name: 'q', status: 'UP' },
      { name: 'p', status: 'DOWN' },
    ]);
  }
});

test('boot errors of plugins: ids are unique and Keyhost’s own cannot be taken, except by the operator’s word', async (t) => {
  const double = await startupError(
    t,
    { p: pluginSource(resourceSource('a')), q: pluginSource(resourceSource('a')).replace("'p'", "'q'") },
    { module: 'p' },
    [{ module: 'q' }],
  );
  t.is(double.code, 'plugin_duplicate_id');
  t.regex(double.report, /q and p both provide realm-restapi-extension\/a/);
  for (const id of ['protocol', 'Account', 'LOGIN-actions'])
    t.is((await startupError(t, { p: pluginSource(resourceSource(id)) })).code, 'plugin_reserved_id', id);
  const handler = `provide(ActionTokenHandler, { id: 'Refresh', eventType: 'X', defaultError: 'x', defaultMessage: 'x', open: () => ({ create: () => ({}) }) })`;
  t.is((await startupError(t, { p: pluginSource(handler) })).code, 'plugin_reserved_id');
  const grant = pluginSource(
    "provide({ id: 'oauth2-grant-type', check() {} }, { id: 'password', eventType: 'LOGIN', open: () => ({ create: () => ({}) }) })",
  );
  t.is((await startupError(t, { p: grant })).code, 'plugin_duplicate_id');
  t.is(
    (await startupError(t, { p: grant }, { module: 'p', replaces: ['oauth2-grant-type/nothing'] })).code,
    'plugin_config',
  );
  const dir = await pluginsFolder(t, { p: grant });
  const host = await boot(t, dir, { plugins: [{ module: 'p', replaces: ['oauth2-grant-type/password'] }] });
  t.regex(host.bootTree, /p@1\.2\.3 .*\n└─ oauth2-grant-type\/password/);
});

test('boot errors of plugins: an open that throws or hangs fails the boot, closes opened providers, and spares hosts of optional plugins', async (t) => {
  const failing = pluginSource(resourceSource('a', "() => { throw new Error('no database'); }"));
  const thrown = await startupError(t, { p: failing });
  t.deepEqual([thrown.code, /no database/.test(thrown.report)], ['plugin_open_failed', true]);
  t.is(
    (await startupError(t, { p: pluginSource(resourceSource('a', '() => new Promise(() => {})')) }, undefined, [], 300))
      .code,
    'plugin_open_timeout',
  );
  const closing = pluginSource(
    resourceSource('first', '() => ({ create: () => ({}), close: () => { globalThis.keyhostTestClosed = true; } })'),
  );
  await startupError(t, { q: closing.replace("'p'", "'q'"), p: failing }, { module: 'q' }, [{ module: 'p' }]);
  t.true((globalThis as { keyhostTestClosed?: boolean }).keyhostTestClosed);
  const dir = await pluginsFolder(t, { p: failing, q: pluginSource(resourceSource('good')).replace("'p'", "'q'") });
  const host = await boot(t, dir, { plugins: [{ module: 'p', required: false }, { module: 'q' }] });
  t.regex(host.bootTree, /good/);
  t.notRegex(host.bootTree, /extension\/a\b/);
});

test('boot errors of plugins: a path that leaves the providers folder, a folder anyone may write to, and a changed package are refused', async (t) => {
  const dir = await pluginsFolder(t, {});
  const outside = await pluginsFolder(t, { p: pluginSource(resourceSource('a')) });
  await symlink(join(outside, 'providers/p'), join(dir, 'providers/p'));
  const linked = (await t.throwsAsync(boot(t, dir, { plugins: [{ module: 'p' }] }))) as BootError;
  t.is(linked.code, 'plugin_outside');
  const dotted = (await t.throwsAsync(boot(t, dir, { plugins: [{ module: '../p' }] }))) as BootError;
  t.is(dotted.code, 'plugins_file_invalid');
  const open = await pluginsFolder(t, { p: pluginSource(resourceSource('a')) });
  await chmod(join(open, 'providers/p'), 0o777);
  t.is(((await t.throwsAsync(boot(t, open, { plugins: [{ module: 'p' }] }))) as BootError).code, 'plugin_outside');
  await chmod(join(open, 'providers/p'), 0o755);
  const integrity = await packageIntegrity({ name: 'p', dir: join(open, 'providers/p') });
  t.truthy(await boot(t, open, { plugins: [{ module: 'p', integrity }] }));
  await writeFile(join(open, 'providers/p/more.js'), '');
  t.is(
    ((await t.throwsAsync(boot(t, open, { plugins: [{ module: 'p', integrity }] }))) as BootError).code,
    'plugin_integrity',
  );
});

test('boot errors of plugins: problems in plugins.json have line and column', async (t) => {
  const dir = await pluginsFolder(t, {
    p: pluginSource(
      resourceSource(
        'a',
        undefined,
        "config: { type: 'object', properties: { size: { type: 'integer' } }, additionalProperties: false },",
      ),
    ),
  });
  const report = async (text: string) =>
    ((await t.throwsAsync(boot(t, dir, text))) as BootError).report().replaceAll(dir, '.');
  const typo = '{ "plugins": [\n  { "module": "p", "requird": true }\n] }';
  t.regex(await report(typo), /\.\/plugins\.json:2:20 plugins\[0]\.requird: unknown key \(did you mean "required"\?\)/);
  const config =
    '{ "plugins": [ { "module": "p", "config": {\n  "realm-restapi-extension/a": { "size": "big", "sise": 1 },\n  "realm-restapi-extension/b": {}\n} } ] }';
  const told = await report(config);
  t.regex(told, /p is not configured correctly \[plugin_config]/);
  t.regex(told, /plugins\.json:2:34 .*size: must be an integer/);
  t.regex(told, /plugins\.json:2:49 .*sise: unknown key \(did you mean "size"\?\)/);
  t.regex(told, /plugins\.json:3:3 .*p has no provider realm-restapi-extension\/b/);
  t.regex(
    await report('{ "plugins": [], "__proto__": { "x": 1 } }'),
    /plugins\.json:1:18 __proto__: the key "__proto__" is not allowed/,
  );
  t.regex(await report('{ "plugins": [], }'), /plugins\.json:1:18: not JSON/);
  t.regex(await report('{ "plugins": [], "plugins": [] }'), /the key "plugins" is used twice/);
});

test('boot errors of plugins: a plugin that ends or blocks the process while it is loaded is named, and the exit is no success', async (t) => {
  const cases: [string, RegExp][] = [
    [
      pluginSource(resourceSource('a', '() => process.exit(0)')),
      /p ended the process while it was loaded \[plugin_open_exit]/,
    ],
    [
      pluginSource(resourceSource('a', '() => { for (;;); }')),
      /p (blocked the process|kept the process waiting) while it was loaded/,
    ],
  ];
  await Promise.all(
    cases.map(async ([source, message]) => {
      const dir = await pluginsFolder(t, { p: source });
      await writeFile(join(dir, 'plugins.json'), '{ "plugins": [ { "module": "p" } ] }');
      const data = await mkdtemp(join(tmpdir(), 'keyhost-data-'));
      t.teardown(() => rm(data, { recursive: true, force: true }));
      const child = spawn(process.execPath, [COMMAND, 'start-dev', ...options(dir), '--data-dir', data], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let output = '';
      child.stderr.on('data', (chunk) => {
        output += String(chunk);
      });
      const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
        child.once('close', (...end) => resolve(end));
      });
      t.regex(output, message);
      t.true(code === 1 || signal !== null);
    }),
  );
});
