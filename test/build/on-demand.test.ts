import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { folder, type Run, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const REPORTER = new URL('./report-loaded.js', import.meta.url).href;

/** What a first token has no use for. */
const ON_DEMAND = {
  ajv: /\/node_modules\/ajv/,
  'account page': /\/account-endpoint\.js$/,
  'admin API': /\/admin-operations\.js$/,
  'JSON bodies': /\/koa-bodyparser\.js$/,
  mail: /\/nodemailer\.js$/,
  metrics: /\/prom-client\.js$/,
  'gRPC server': /\/server\.js$/,
};

async function loaded({ child, output }: Run): Promise<readonly string[]> {
  const before = output().length;
  child.kill('SIGUSR2');
  while (!/LOADED (\[.*\])\n/.test(output().slice(before))) await once(child.stderr ?? child, 'data');
  return JSON.parse(/LOADED (\[.*\])\n/.exec(output().slice(before))?.[1] ?? '[]') as string[];
}

test('a first token loads no chunk and no package that it has no use for, and what is asked for later is loaded', async (t) => {
  const dir = await folder(t, [testRealm('demo', { providers: {} })]);
  await writeFile(join(dir, 'plugins.json'), '{ "plugins": [] }');
  const host = await run(t, dir, ['start-dev'], { NODE_OPTIONS: `--import ${REPORTER}` });
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
