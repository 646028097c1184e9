import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import type { BootError } from '../../core/config/boot-error.js';
import { keyhost } from '../helpers/command.js';
import { providersFolder, resourcePlugin } from '../helpers/plugins.js';
import { folder, remote, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { reloadScene } from '../helpers/reload.js';

/** A process whose only plugin runs this code when it is imported or opened. */
async function start(t: ExecutionContext, name: string, source: string, entry: object = {}) {
  const dir = await folder(t, [testRealm('demo', { providers: {} })]);
  const providers = await providersFolder(t, { [name]: source });
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [{ module: name, ...entry }] }));
  return { dir, providers, host: await run(t, dir, ['start-dev', '--providers-dir', providers]) };
}

const imported = (name: string, code: string) => `${code}\n${resourcePlugin(name, 'return { body: {} };')}`;
const opened = (name: string, code: string) => resourcePlugin(name, 'return { body: {} };', code);
const CRYPTO = "const { default: crypto } = await import('node:crypto');";

const CHANGES: readonly (readonly [name: string, source: string, told: RegExp, entry?: object])[] = [
  [
    'digest',
    imported('digest', `${CRYPTO} crypto.timingSafeEqual = () => true;`),
    /crypto\.timingSafeEqual is another one/,
  ],
  [
    'hmac',
    opened('hmac', `${CRYPTO} crypto.Hmac.prototype.digest = () => 'x';`),
    /crypto\.Hmac\.prototype\.digest is another one/,
  ],
  ['json', opened('json', 'JSON.parse = () => ({});'), /JSON\.parse is another one/],
  ['polluting', imported('polluting', 'Object.prototype.admin = true;'), /Object\.prototype\.admin is new/],
  ['describing', imported('describing', 'Object.prototype.get = () => 1;'), /Object\.prototype\.get is new/],
  [
    'iterating',
    imported('iterating', 'Array.prototype[Symbol.iterator] = function* () {};'),
    /Array\.prototype\[Symbol\(Symbol\.iterator\)\] is another one/,
  ],
  ['missing', opened('missing', 'delete String.prototype.startsWith;'), /String\.prototype\.startsWith is gone/],
  ['fetching', opened('fetching', 'globalThis.fetch = async () => {};'), /globalThis\.fetch is another one/],
  // A plugin that is skipped has still changed built-ins that all share.
  [
    'optional',
    imported('optional', "RegExp.prototype.test = () => true; throw new Error('after it');"),
    /RegExp\.prototype\.test is another one/,
    { required: false },
  ],
];

test('T333 · tampering of plugins: a plugin that changes process globals ends the start by name, without a stack', async (t) => {
  const left = [...CHANGES];
  const one = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [name, source, told, entry] = next;
      const { host } = await start(t, name, source, entry);
      t.is(await host.ended, 1, `${name}: ${host.output()}`);
      t.regex(host.output(), new RegExp(`keyhost: ${name} changed built-ins of the process: .*\\[plugin_tampering]`));
      t.regex(host.output(), told);
      t.notRegex(host.output(), /TypeError|\n\s+at /, name);
    }
  };
  await Promise.all([one(), one()]);
});

test('T333 · tampering of plugins: a plugin that only adds to the process, or that has built-ins of its own, is served', async (t) => {
  const adding = 'globalThis.acme = 1; Reflect.acme = () => 1; Buffer.poolSize = 4096; Error.stackTraceLimit = 20;';
  const { host } = await start(t, 'adding', imported('adding', adding));
  t.truthy(host.url, host.output());
  const worker = await start(t, 'apart', imported('apart', 'Object.prototype.admin = true;'), { isolation: 'worker' });
  t.truthy(worker.host.url, worker.host.output());
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await remote(worker.host).token('demo', form)).status, 200);
});

test('T333 · tampering of plugins: a reload of such a plugin is refused, and the host keeps the previous one', async (t) => {
  const scene = await reloadScene(t, ({ resource }) => ({ a: resource('a', '1') }), { plugins: ['a'], enabled: ['a'] });
  const { parse } = JSON;
  await scene.write(
    'a',
    scene.resource('a', '2', { open: 'JSON.parse = () => ({}); Object.prototype.admin = true;' }),
    '2.0.0',
  );
  const error = (await t.throwsAsync(scene.host.plugins.reload())) as BootError;
  t.is(error.code, 'plugin_tampering');
  t.regex(error.report(), /^keyhost: a changed .*Object\.prototype\.admin is new, JSON\.parse is another one/);
  t.is(JSON.parse, parse);
  t.false('admin' in {});
  t.deepEqual(await scene.get('a'), { status: 200, text: '{"version":"1"}' });
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  t.is((await scene.host.token('demo', form)).status, 200);
});

test('T333 · tampering of plugins: it is reported before a package is listed', async (t) => {
  const dir = await folder(t, []);
  const providers = await providersFolder(t, { evil: opened('evil', 'Promise.prototype.then = () => {};') });
  const {
    code,
    stdout: out,
    stderr: err,
  } = await keyhost(['plugin', 'verify', join(providers, 'evil'), '--plugins-file', join(dir, 'plugins.json')]);
  t.is(code, 1);
  t.regex(
    out + err,
    /evil changed built-ins of the process: Promise\.prototype\.then is another one.*\[plugin_tampering]/,
  );
});

test('T333 · tampering of plugins: the comparison takes a moment, and finds nothing where nothing was changed', async (t) => {
  // In a separate process, because the CPU time of this one includes other tests.
  const source = `import { requireIntactBuiltIns } from '${new URL('../../core/registry/loading/builtin-tampering.js', import.meta.url)}';
    const started = process.cpuUsage();
    for (let time = 0; time < 50; time += 1) requireIntactBuiltIns('nobody');
    const { user, system } = process.cpuUsage(started);
    process.stdout.write(String((user + system) / 50));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source]);
  t.true(Number(stdout) > 0 && Number(stdout) < 20_000, `${stdout} microseconds of processor time`);
});
