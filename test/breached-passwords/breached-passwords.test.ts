import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { ROOT, startAdministered } from '../helpers/admin.js';
import { fetchAnswer, startHost } from '../helpers/host.js';
import { bearer } from '../helpers/login.js';
import { shownRealm } from '../helpers/shown-realm.js';

const MODULE = '@keyhost/breached-passwords';
const NETWORKS = ['--outbound-private-networks', '127.0.0.0/8'];
const sha1 = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();

/** The range API: `password1` was seen 2,413 times, `seen twice` twice. */
async function rangeApi(t: ExecutionContext) {
  const asked: { url: string | undefined; padding: unknown }[] = [];
  let answer: string | undefined;
  const server = createServer((request, response) => {
    asked.push({ url: request.url, padding: request.headers['add-padding'] });
    const known = [...Object.entries({ password1: 2413, 'seen twice': 2 })].map(([word, count]) => [sha1(word), count]);
    const lines = known.filter(([hash]) => String(hash).startsWith(request.url?.slice(1) ?? ''));
    const text = [...lines.map(([hash, count]) => `${String(hash).slice(5)}:${count}`), `${'0'.repeat(35)}:0`, ''];
    response.writeHead(answer === undefined ? 200 : 503).end(answer ?? text.join('\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const fail = (text: string | undefined) => {
    answer = text;
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, fail };
}

async function start(t: ExecutionContext, config: object, isolation = 'none') {
  const realm = await shownRealm('breached-passwords');
  const accept = { 'password-policy': { breachedPasswords: { config: { whenUnavailable: 'accept' } } } };
  const users = [{ username: 'ada', enabled: true }];
  const host = await startAdministered(t, {
    realms: [
      { ...realm, users },
      { ...realm, realm: 'lenient', passwordPolicy: 'breachedPasswords(3)', providers: accept, users },
    ],
    plugins: [{ module: MODULE, isolation, config: { 'password-policy/breachedPasswords': config } }],
    argv: NETWORKS,
  });
  const { json } = await host.token('master', { grant_type: 'password', client_id: 'admin-cli', ...ROOT });
  const headers = { ...bearer(json.access_token ?? ''), 'content-type': 'application/json' };
  const reset = async (name: string, value: string) => {
    const users_ = `${host.url}/admin/realms/${name}/users`;
    const found = (await fetchAnswer(`${users_}?username=ada`, { headers })).json as unknown as { id: string }[];
    const body = JSON.stringify({ value });
    const answer = await fetchAnswer(`${users_}/${found[0]?.id}/reset-password`, { method: 'PUT', headers, body });
    return answer.status === 204 ? 204 : [answer.status, answer.json.error, answer.json.error_description];
  };
  return { host, reset };
}

const BREACHED = [400, 'breachedPasswordMessage', 'This password is known from a data breach. Choose another one.'];

for (const isolation of ['none', 'worker']) {
  test(`breached passwords: the range API gets five digits, and the realm decides what happens if it is unreachable (${isolation})`, async (t) => {
    const api = await rangeApi(t);
    const { host, reset } = await start(t, { url: api.url }, isolation);
    t.deepEqual(await reset('breached-passwords', 'password1'), BREACHED);
    t.deepEqual(api.asked, [{ url: `/${sha1('password1').slice(0, 5)}`, padding: 'true' }]);
    t.deepEqual(await reset('breached-passwords', 'seen twice'), BREACHED);
    t.is(await reset('lenient', 'seen twice'), 204);
    t.is(await reset('breached-passwords', 'never seen before'), 204);
    // A password that is too short is rejected before the list is asked.
    const before = api.asked.length;
    t.like(await reset('breached-passwords', 'short'), [400, 'invalidPasswordMinLengthMessage']);
    t.is(api.asked.length, before);
    for (const text of ['no range', 'AAAA']) {
      api.fail(text);
      t.like(await reset('breached-passwords', 'never seen again'), [503, 'temporarily_unavailable'], text);
      t.is(await reset('lenient', 'password1'), 204);
    }
    t.true(host.log.some(({ message }) => message === 'a new password was not looked up among breached ones'));
    api.fail(undefined);
    t.is(await reset('breached-passwords', 'never seen again'), 204);
  });
}

test('breached passwords: the list is one file in the order of the digests, or a folder of ranges', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-breached-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  const words = Array.from({ length: 3000 }, (_, index) => `breached-${index}`);
  const lines = words.map((word, index) => `${sha1(word)}:${index + 1}`).sort();
  const file = join(dir, 'pwned.txt');
  await writeFile(file, `${lines.join('\r\n')}\r\n`);
  const folder = join(dir, 'ranges');
  await mkdir(folder);
  for (const prefix of ['00000', ...words.slice(0, 20).map((word) => sha1(word).slice(0, 5))]) {
    const own = lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(5));
    await writeFile(join(folder, `${prefix}.txt`), own.join('\n'));
  }
  const first = words.find((word) => lines[0]?.startsWith(sha1(word)));
  const last = words.find((word) => lines.at(-1)?.startsWith(sha1(word)));
  const whole = await start(t, { file });
  for (const word of [first, last, 'breached-2', 'breached-1500', 'breached-2999'])
    t.deepEqual(await whole.reset('breached-passwords', word as string), BREACHED, word);
  t.is(await whole.reset('breached-passwords', 'never seen before'), 204);
  // The second was seen twice, and `lenient` lets that pass.
  t.is(await whole.reset('lenient', 'breached-1'), 204);
  t.deepEqual(await whole.reset('lenient', 'breached-2'), BREACHED);
  const ranges = await start(t, { file: folder });
  t.deepEqual(await ranges.reset('breached-passwords', 'breached-7'), BREACHED);
  // A range that is not there is a list that cannot be read.
  t.like(await ranges.reset('breached-passwords', 'not in any range'), [503, 'temporarily_unavailable']);
});

test('breached passwords: a missing or invalid list fails the start', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-breached-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'words.txt'), 'password1\n');
  for (const [file, message] of [
    [join(dir, 'none.txt'), /no such file/],
    [join(dir, 'words.txt'), /has no lines such as SHA1:COUNT/],
  ] as const) {
    const config = { 'password-policy/breachedPasswords': { file } };
    const error = await t.throwsAsync(startHost(t, { plugins: [{ module: MODULE, config }] }));
    t.regex(error?.message ?? '', message);
  }
});
