import { once } from 'node:events';
import test from 'ava';
import { fetchAnswer } from '../helpers/host.js';
import { COMPILED, folder, type Run, run } from '../helpers/process.js';

const RECORDER = new URL('./record-imports.js', import.meta.url).href;

/** Files that are imported with the first request for them, by their module. */
const ON_DEMAND = {
  account: /\/core\/account\/account-endpoint\.js$/,
  admin: /\/core\/admin\/admin-api\.js$/,
  registration: /\/core\/admin\/registration\/registration-endpoint\.js$/,
  welcome: /\/core\/login\/welcome\/welcome-endpoint\.js$/,
  grpc: /\/core\/grpc\/server\.js$/,
  'grpc library': /\/@grpc\/grpc-js\//,
  mail: /\/nodemailer\//,
  passkeys: /\/@simplewebauthn\//,
};

/** Which of those modules the host has imported by now. */
async function imported({ child, output }: Run): Promise<string[]> {
  const before = output().length;
  child.kill('SIGUSR2');
  while (!/IMPORTED (\[.*\])\n/.test(output().slice(before))) await once(child.stderr ?? child, 'data');
  const files = JSON.parse(/IMPORTED (\[.*\])\n/.exec(output().slice(before))?.[1] ?? '[]') as string[];
  return Object.entries(ON_DEMAND).flatMap(([name, file]) => (files.some((url) => file.test(url)) ? [name] : []));
}

test('loading on demand: a module is imported on first use, and not before', async (t) => {
  const host = await run(t, await folder(t), ['start-dev'], { NODE_OPTIONS: `--import ${RECORDER}` }, '0', COMPILED);
  t.not(host.url, undefined, host.output());
  const form = { grant_type: 'password', client_id: 'spa', username: 'alice', password: 'Alice-pass-1!' };
  const token = await fetchAnswer(`${host.url}/realms/demo/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  t.is(token.status, 200, token.text);
  t.deepEqual(await imported(host), []);
  await fetchAnswer(`${host.url}/realms/demo/account/`, { headers: { accept: 'text/html' } });
  t.deepEqual(await imported(host), ['account']);
  await fetchAnswer(`${host.url}/admin/realms`);
  t.deepEqual(await imported(host), ['account', 'admin']);
  await fetchAnswer(`${host.url}/`);
  t.deepEqual(await imported(host), ['account', 'admin', 'welcome']);
  await fetchAnswer(`${host.url}/realms/demo/clients-registrations/default`, { method: 'POST' });
  t.deepEqual(await imported(host), ['account', 'admin', 'registration', 'welcome']);
});
