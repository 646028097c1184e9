import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { LoadGuard } from '../../core/registry/loading/load-guard.js';
import { ran } from '../helpers/command.js';
import { folder, run } from '../helpers/process.js';

const GUARD = new URL('../../core/registry/loading/load-guard.js', import.meta.url).href;

/** Blocks without using processor time, like a process that an overloaded machine does not schedule. */
const blockingCode = (ms: string) => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms})`;

test('load guard: a plugin that opens slowly where the machine has no time for it is no endless loop', async (t) => {
  const dir = await folder(t, [{ realm: 'demo' }]);
  const spi = import.meta.resolve('@keyhost/spi');
  const providers = await mkdtemp(join(tmpdir(), 'keyhost-slow-'));
  t.teardown(() => rm(providers, { recursive: true, force: true }));
  const plugin = join(providers, 'slow');
  await mkdir(join(plugin, 'node_modules/@keyhost/spi'), { recursive: true });
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [{ "module": "slow" }] }');
  const manifest = { name: 'slow', version: '1.0.0', type: 'module', exports: './index.js' };
  await writeFile(join(plugin, 'package.json'), JSON.stringify(manifest));
  const link = { version: '0.1.0', exports: './index.js', type: 'module' };
  await writeFile(join(plugin, 'node_modules/@keyhost/spi/package.json'), JSON.stringify(link));
  await writeFile(join(plugin, 'node_modules/@keyhost/spi/index.js'), `export * from ${JSON.stringify(spi)};`);
  await writeFile(
    join(plugin, 'index.js'),
    `import { provide, RealmResourceProvider } from '@keyhost/spi';
export default { name: 'slow', api: 1, providers: [provide(RealmResourceProvider, { id: 'slow',
  routes: { run: { method: 'GET', path: '/' } },
  open: () => { ${blockingCode('13000')}; return { create: () => ({ run: async () => ({ body: 1 }) }) }; } })] };`,
  );
  const host = await run(t, dir, ['start-dev', '--providers-dir', providers]);
  t.notRegex(host.output(), /blocked|endless/);
  if (host.url === undefined) t.regex(host.output(), /took longer than 10 s/);
  else t.regex(host.output(), /slow@1\.0\.0 {2}\d{5,}\.\d ms/);
});

test('load guard: an endless loop is reported by its CPU time, and an endless wait by another message', async (t) => {
  const guarded = (code: string) =>
    ran(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { LoadGuard } = await import('${GUARD}'); const guard = new LoadGuard(0); guard.setPlugin('p'); ${code}`,
    ]);
  const [loop, wait] = await Promise.all([guarded('for (;;);'), guarded(blockingCode('Infinity'))]);
  t.is(loop.code, 'SIGKILL');
  t.regex(loop.stderr, /^keyhost: p blocked the process while it was loaded \[plugin_open_timeout]\n.*endless loop/);
  t.is(wait.code, 'SIGKILL');
  t.regex(wait.stderr, /^keyhost: p kept the process waiting while it was loaded \[plugin_open_timeout]\n {2}→ /);
});

test('load guard: an endless loop is ended even if nobody reads its report', async (t) => {
  const code = `const { LoadGuard } = await import('${GUARD}'); const guard = new LoadGuard(0); guard.setPlugin('p'); for (;;);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr.destroy();
  const [, signal] = await once(child, 'exit');
  t.is(signal, 'SIGKILL');
});

test('load guard: a plugin that is slow while the process computes something else, and its loop turns, is not ended', async (t) => {
  const code = `const { LoadGuard } = await import('${GUARD}');
    const guard = new LoadGuard(0);
    guard.setPlugin('p');
    // What the kernel does for it counts, too: a busy machine spends most of the time there.
    const computed = () => { const { user, system } = process.cpuUsage(); return user + system; };
    const slice = () => { const from = computed(); while (computed() - from < 50_000); };
    for (let slices = 0; slices < 80; slices += 1) { slice(); await new Promise(setImmediate); }
    guard.setPlugin(undefined);
    console.log('done');
    process.exit(0);`;
  const { code: end, stdout, stderr } = await ran(process.execPath, ['--input-type=module', '--eval', code]);
  t.deepEqual([end, stdout.trim(), stderr], [0, 'done', '']);
});

test('load guard: a guard that one update has left watches over the next', async (t) => {
  const code = `const { LoadGuard } = await import('${GUARD}');
    const guard = new LoadGuard(0);
    guard.setPlugin('p');
    guard.setPlugin(undefined);
    ${blockingCode('3000')};
    guard.setPlugin('q');
    ${blockingCode('Infinity')};`;
  const { code: end, stderr } = await ran(process.execPath, ['--input-type=module', '--eval', code]);
  t.is(end, 'SIGKILL');
  t.regex(stderr, /^keyhost: q kept the process waiting while it was loaded/);
});

test('load guard: one listener waits for the exit of the process for any number of hosts that load plugins, and none afterwards', async (t) => {
  const before = process.listenerCount('exit');
  const guards = Array.from({ length: 12 }, () => new LoadGuard(1000));
  t.is(process.listenerCount('exit'), before + 1);
  await guards[0]?.close();
  t.is(process.listenerCount('exit'), before + 1);
  await Promise.all(guards.map((guard) => guard.close()));
  t.is(process.listenerCount('exit'), before);
});
