import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { enableSchemaCache, queueCheck, writeQueuedChecks } from '../../core/config/json/schema-cache.js';
import { type Run, run } from '../helpers/process.js';
import { loaded, REPORTS } from './loaded.js';

/** Inside the build output, where `@keyhost/spi` resolves as it does for a real plugin. */
const DIST = fileURLToPath(new URL('../../', import.meta.url));
const GREETING = { type: 'string', minLength: 3, default: 'Hello' };

interface Place {
  readonly dir: string;
  readonly cache: string;
}

async function place(t: ExecutionContext): Promise<Place> {
  const dir = await mkdtemp(join(DIST, 'kept-checks-'));
  const cache = await mkdtemp(join(tmpdir(), 'keyhost-code-'));
  for (const one of [dir, cache]) t.teardown(() => rm(one, { recursive: true, force: true }));
  await mkdir(join(dir, 'realms'));
  await mkdir(join(dir, 'providers', 'p'), { recursive: true });
  const manifest = { name: 'p', version: '1.0.0', type: 'module', exports: './index.js' };
  await writeFile(join(dir, 'providers/p/package.json'), JSON.stringify(manifest));
  return { dir, cache };
}

/** Starts a host whose only plugin has a member of its configuration that a schema describes. */
async function start(t: ExecutionContext, { dir, cache }: Place, schema: object, greeting?: unknown): Promise<Run> {
  const config = JSON.stringify({ type: 'object', properties: { greeting: schema }, additionalProperties: false });
  await writeFile(
    join(dir, 'providers/p/index.js'),
    `import { provide, RealmResourceProvider } from '@keyhost/spi';
     export default { name: 'p', api: 1, providers: [provide(RealmResourceProvider, {
       id: 'a', config: ${config}, routes: { hello: { method: 'GET', path: '/' } },
       open: ({ greeting }) => { console.log('greets ' + greeting); return { create: () => ({ hello: async () => ({ body: {} }) }) }; },
     })] };`,
  );
  const entry = { module: 'p', config: { 'realm-restapi-extension/a': { greeting } } };
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins: [entry] }));
  const folder = ['--providers-dir', join(dir, 'providers')];
  return run(t, dir, ['start-dev', ...folder], { ...REPORTS, KEYHOST_CODE_CACHE: cache });
}

/** @returns whether it needed Ajv */
async function stop(host: Run): Promise<boolean> {
  const needed = (await loaded(host)).some((file) => /\/node_modules\/ajv\/dist\/core\.js$/.test(file));
  host.child.kill('SIGTERM');
  await host.ended;
  return needed;
}

async function keptFiles(cache: string): Promise<string[]> {
  const files = await readdir(cache, { recursive: true });
  return files.filter((file) => /\/checks\/[^/]+\.js$/.test(file)).map((file) => join(cache, file));
}

test('cached validators of plugins: they are compiled once, cached for their owner alone, and give the same results', async (t) => {
  const here = await place(t);
  const first = await start(t, here, GREETING);
  t.regex(first.output(), /^greets Hello$/m);
  t.true(await stop(first));
  const kept = await keptFiles(here.cache);
  t.true(kept.length > 0);
  for (const file of kept) t.is((await stat(file)).mode & 0o077, 0);

  const second = await start(t, here, GREETING, 'Good day');
  t.regex(second.output(), /^greets Good day$/m);
  t.false(await stop(second));
  const third = await start(t, here, GREETING);
  t.regex(third.output(), /^greets Hello$/m, 'the default is filled in');
  t.false(await stop(third));

  const refused = await start(t, here, GREETING, 'Hi');
  t.is(await refused.ended, 1);
  t.regex(refused.output(), /greeting: must have at least 3 characters/);
});

test('cached validators of plugins: a changed schema is compiled, and an invalid one is reported at the start', async (t) => {
  const here = await place(t);
  await stop(await start(t, here, GREETING));
  const longer = await start(t, here, { ...GREETING, minLength: 6, default: 'Welcome' }, 'Hello');
  t.is(await longer.ended, 1);
  t.regex(longer.output(), /greeting: must have at least 6 characters/);
  const bad = await start(t, here, { type: 'strin' });
  t.is(await bad.ended, 1);
  t.regex(bad.output(), /properties\.greeting\.type is "strin": it must be one of .* \(did you mean "string"\?\)/);
});

test('cached validators of plugins: a damaged or incomplete cache entry is compiled again', async (t) => {
  const here = await place(t);
  await stop(await start(t, here, GREETING));
  for (const damage of [
    (good: string) => good.slice(0, good.length / 2),
    (good: string) => good.replace('minLength', 'maxLength'),
    () => '',
  ]) {
    for (const file of await keptFiles(here.cache)) await writeFile(file, damage(await readFile(file, 'utf8')));
    const host = await start(t, here, GREETING);
    t.regex(host.output(), /^greets Hello$/m);
    t.true(await stop(host));
    const refused = await start(t, here, GREETING, 'Hi');
    t.is(await refused.ended, 1);
  }
});

test('cached validators of plugins: the number of entries to write is bounded', async (t) => {
  const { cache } = await place(t);
  const written: number[] = [];
  enableSchemaCache(join(cache, 'checks'));
  for (let number = 0; number < 2_000; number += 1) {
    queueCheck(`check-${number}`, () => {
      written.push(number);
      return 'module.exports = () => true;';
    });
  }
  writeQueuedChecks();
  t.is(written.length, 500);
  t.is(written.at(-1), 1_999, 'the latest');
});
