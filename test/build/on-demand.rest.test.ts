import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { folder, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';
import { loaded, REPORTS } from './loaded.js';

/** Files that the first token does not need. */
const ON_DEMAND = {
  ajv: /\/node_modules\/ajv/,
  'account page': /\/account-endpoint\.js$/,
  'admin API': /\/admin-operations\.js$/,
  'JSON bodies': /\/koa-bodyparser\.js$/,
  mail: /\/nodemailer\.js$/,
  metrics: /\/prom-client\.js$/,
  'gRPC server': /\/server\.js$/,
};

test('loading on demand: a first token loads no unneeded chunk or package, and later requests load theirs', async (t) => {
  const dir = await folder(t, [testRealm('demo', { providers: {} })]);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const host = await run(t, dir, ['start-dev'], REPORTS);
  t.not(host.url, undefined, host.output());
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  const body = new URLSearchParams(form);
  const token = await fetchAnswer(`${host.url}/realms/demo/protocol/openid-connect/token`, { method: 'POST', body });
  t.is(token.status, 200, token.text);
  const found = async () => {
    const files = await loaded(host);
    return Object.entries(ON_DEMAND).flatMap(([name, file]) => (files.some((path) => file.test(path)) ? [name] : []));
  };
  t.deepEqual(await found(), []);
  await fetchAnswer(`${host.url}/realms/demo/account/`, { headers: { accept: 'text/html' } });
  t.deepEqual(await found(), ['account page']);
});

test('loading on demand: the plugins of the repository start without validators and rate counters', async (t) => {
  const dir = await folder(t);
  const cache = join(dir, 'cache');
  await mkdir(cache, { mode: 0o700 });
  const plugins = ['newsletter', 'external-app-notification', 'books'].map((name) => ({ module: `@keyhost/${name}` }));
  await writeFile(join(dir, 'plugins.json'), JSON.stringify({ plugins }));
  const start = () => run(t, dir, ['start-dev'], { ...REPORTS, KEYHOST_CODE_CACHE: cache });
  const first = await start();
  t.not(first.url, undefined, first.output());
  first.child.kill('SIGTERM');
  await first.ended;
  const files = await loaded(await start());
  t.deepEqual(
    files.filter((file) => /\/node_modules\/(ajv\/dist\/core\.js|jsonc-parser\/|rate-limiter-flexible\/)/.test(file)),
    [],
  );
});
