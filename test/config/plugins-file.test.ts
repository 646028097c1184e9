import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { BootError, BootErrorCode } from '../../core/config/boot-error.js';
import { readPluginsFile } from '../../core/config/plugins-file.js';

async function written(t: ExecutionContext, content: string | Uint8Array): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-plugins-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'plugins.json'), content);
  return join(dir, 'plugins.json');
}

/** The code, and a line for each problem, without the folder. */
async function refusal(t: ExecutionContext, path: string): Promise<{ code: BootErrorCode; lines: string[] }> {
  const error = (await t.throwsAsync(readPluginsFile(path))) as BootError;
  const report = error.report().replaceAll(path, 'plugins.json').split('\n');
  return { code: error.code, lines: report.slice(1).map((line) => line.trim()) };
}

const PACKAGE = 'must be the name of a package in the plugin folder, such as "newsletter" or "@acme/newsletter"';

/** The text of the file, and the message after `plugins.json:`. */
const MISTAKES: readonly (readonly [title: string, text: string, told: string])[] = [
  ['an empty file', '', '1:1: not JSON: the file is empty'],
  ['an end cut off', '{ "plugins": [\n  { "module"', '2:13: not JSON: unexpected end of the file'],
  ['something after the end', '{ "plugins": [] }\n]', '2:1: not JSON: unexpected text after the end'],
  ['a list without its key', '[{ "module": "a" }]', '1:1: must be an object'],
  ['null', 'null', '1:1: must be an object'],
  ['no list of plugins', '{\n}', '1:1: "plugins" is missing'],
  ['a misspelt list', '{ "plugins": [],\n "plugin": [] }', '2:2 plugin: unknown key (did you mean "plugins"?)'],
  ['names instead of objects', '{ "plugins": [\n "newsletter"] }', '2:2 plugins[0]: must be an object'],
  ['null in the list', '{ "plugins": [\n null] }', '2:2 plugins[0]: must be an object'],
  ['a plugin without a name', '{ "plugins": [ { "required": true } ] }', '1:16 plugins[0]: "module" is missing'],
  ['a number as a name', '{ "plugins": [ { "module": 1 } ] }', '1:18 plugins[0].module: must be a string'],
  ['a path as a name', '{ "plugins": [ { "module": "./newsletter" } ] }', `1:18 plugins[0].module: ${PACKAGE}`],
  ['a way out of the folder', '{ "plugins": [ { "module": "@a/../b" } ] }', `1:18 plugins[0].module: ${PACKAGE}`],
  [
    'a plugin twice',
    '{ "plugins": [ { "module": "a" }, { "module": "b" },\n { "module": "a" } ] }',
    '2:4 plugins[2].module: "a" is listed twice',
  ],
  [
    'a text for a switch',
    '{ "plugins": [ { "module": "a",\n "required": "no" } ] }',
    '2:2 plugins[0].required: must be a boolean',
  ],
  [
    'another isolation',
    '{ "plugins": [ { "module": "a",\n "isolation": "non" } ] }',
    '2:2 plugins[0].isolation: must be one of none, worker (did you mean "none"?)',
  ],
  [
    'a limit beyond the host’s own',
    '{ "plugins": [ { "module": "a",\n "limits": { "callTimeout": 31 } } ] }',
    '2:14 plugins[0].limits.callTimeout: must be at most 30',
  ],
  [
    'a limit of a worker without a worker',
    '{ "plugins": [ { "module": "a",\n "limits": { "memory": 64 } } ] }',
    '2:14 plugins[0].limits.memory: requires "isolation": "worker"',
  ],
  [
    'a hash of another kind',
    '{ "plugins": [ { "module": "a", "integrity": "sha256-abc" } ] }',
    '1:33 plugins[0].integrity: must be "sha512-" and a hash in Base64',
  ],
  [
    'a replacement without its SPI',
    '{ "plugins": [ { "module": "a", "replaces": ["password"] } ] }',
    '1:46 plugins[0].replaces[0]: must be an SPI and an ID, such as "oauth2-grant-type/password"',
  ],
  [
    'a configuration that is no object',
    '{ "plugins": [ { "module": "a", "config": { "realm-restapi-extension/a": true } } ] }',
    '1:45 plugins[0].config["realm-restapi-extension/a"]: must be an object',
  ],
];

for (const [title, text, told] of MISTAKES) {
  test(`plugins.json: ${title} is reported at its place`, async (t) => {
    t.deepEqual(await refusal(t, await written(t, text)), {
      code: 'plugins_file_invalid',
      lines: [`plugins.json:${told}`],
    });
  });
}

test('plugins.json: all problems are reported at once, in the order of its lines', async (t) => {
  const text = `{
  "plugins": [
    { "module": "a", "require": true },
    { "isolation": "none" },
    { "module": "a", "config": [] },
    { "module": "B" }
  ],
  "providers": "providers"
}`;
  t.deepEqual((await refusal(t, await written(t, text))).lines, [
    'plugins.json:3:22 plugins[0].require: unknown key (did you mean "required"?)',
    'plugins.json:4:5 plugins[1]: "module" is missing',
    'plugins.json:5:7 plugins[2].module: "a" is listed twice',
    'plugins.json:5:22 plugins[2].config: must be an object',
    `plugins.json:6:7 plugins[3].module: ${PACKAGE}`,
    'plugins.json:8:3 providers: unknown key',
  ]);
});

test('plugins.json: a file that is missing, a folder, too large or not UTF-8 is reported as a whole or at its first invalid byte', async (t) => {
  const path = await written(t, Buffer.from('{ "plugins": [],\n "$schema": "\u00e9" }', 'latin1'));
  t.deepEqual((await refusal(t, path)).lines, ['plugins.json:2:14: not UTF-8: the byte 0xe9']);
  const smallest = '→ create it: {"plugins": []} is a list without plugins';
  t.deepEqual(await refusal(t, `${path}.not-there`), {
    code: 'plugins_file_invalid',
    lines: ['plugins.json: the file does not exist', smallest],
  });
  t.deepEqual((await refusal(t, join(path, '..'))).lines[0]?.split(': ')[1], 'cannot read the file (EISDIR)');
  const large = await written(t, `{ "plugins": [] }${' '.repeat(1024 * 1024)}`);
  t.deepEqual((await refusal(t, large)).lines, ['plugins.json: the file is larger than 1 MiB']);
});

test('plugins.json: missing members have defaults, and a byte order mark is ignored', async (t) => {
  const { plugins } = await readPluginsFile(
    await written(t, '\ufeff{ "plugins": [ { "module": "@acme/a" }, { "module": "b" } ] }'),
  );
  const limits = { concurrency: 1000 };
  const defaults = { required: true, isolation: 'none', limits, env: [], grants: {}, replaces: [], config: {} };
  t.deepEqual(plugins, [
    { module: '@acme/a', ...defaults },
    { module: 'b', ...defaults },
  ] as object[] as typeof plugins);
});
