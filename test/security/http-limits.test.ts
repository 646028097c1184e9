import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { ALICE_LOGIN, generate, post, SVC, WEB } from '../helpers/login.js';
import { rawRequest, rawStatus } from '../helpers/raw.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

// Without listeners, because the test's log retains every line.
const host = shareHost(test, { realms: [testRealm('demo', { eventsListeners: [] })] });
const form = { ...SVC, grant_type: 'client_credentials' };
const PLACES = [
  ['/protocol/openid-connect/token', 'application/x-www-form-urlencoded'],
  ['/protocol/openid-connect/token/introspect', 'application/x-www-form-urlencoded'],
  ['/protocol/openid-connect/revoke', 'application/x-www-form-urlencoded'],
  ['/protocol/openid-connect/userinfo', 'application/x-www-form-urlencoded'],
  ['/login-actions/action-token', 'application/x-www-form-urlencoded'],
  ['/newsletter/generate-token', 'application/json'],
] as const;

const urlencoded = (body: string) =>
  fetchAnswer(`${host().oidc('demo')}/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });

/** Sends chunks until the host closes the connection, or has read 64 MiB. */
function flood(head: string, chunk: string): Promise<{ answer: string; sent: number }> {
  return new Promise((resolve) => {
    let answer = '';
    let sent = 0;
    const socket = connect(Number(new URL(host().url).port), '127.0.0.1', () => {
      socket.write(head);
      const more = () => {
        if (socket.destroyed) return;
        sent += chunk.length;
        if (sent > 64 * 1024 * 1024) socket.destroy();
        else if (socket.write(chunk)) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ answer, sent }));
  });
}

test.serial(
  'T207 · HTTP limits: a body that is too large is 413 before it has come, and the connection ends',
  async (t) => {
    for (const [path, type] of PLACES) {
      const lines = (more: string) =>
        [`POST /realms/demo${path} HTTP/1.1`, 'Host: x', `Content-Type: ${type}`, more, '', ''].join('\r\n');
      const announced = await rawRequest(host().url, lines('Content-Length: 10485760'));
      t.is(rawStatus(announced), 413, path);
      t.regex(announced, /^connection: close/im, path);
      const chunk = `${(64 * 1024).toString(16)}\r\n${'x'.repeat(64 * 1024)}\r\n`;
      const { answer, sent } = await flood(lines('Transfer-Encoding: chunked'), chunk);
      t.true(sent < 64 * 1024 * 1024, `${path} reads on without end`);
      if (answer !== '') t.is(rawStatus(answer), 413, path);
      const body = 'x'.repeat(10 * 1024 * 1024);
      const whole = await fetchAnswer(`${host().realm('demo')}${path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      }).catch(() => undefined);
      if (whole !== undefined) t.is(whole.status, 413, path);
    }
    t.is((await host().token('demo', { ...form, pad: 'x'.repeat(300_000) })).status, 413);
    t.is((await host().token('demo', form)).status, 200);
  },
);

test.serial('T208 · HTTP limits: many parameters, deep names and deep JSON are refused', async (t) => {
  t.is((await urlencoded('a=1&'.repeat(100_000))).status, 413);
  t.is((await urlencoded('a=1&'.repeat(60_000))).status, 400);
  t.is((await urlencoded(Array.from({ length: 5000 }, (_, i) => `p${i}=1`).join('&'))).status, 400);
  const deep = `a${'[b]'.repeat(1000)}=1&grant_type[]=password&grant_type.a=2`;
  t.is((await urlencoded(deep)).json.error_description, 'Missing form parameter: grant_type');
  const deepest = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
  for (const body of [
    deepest('[', ']', 120_000),
    deepest('{"a":', '}', 40_000).replace(':}', ':1}'),
    `{"userId":"${ALICE}","applicationId":${deepest('[', ']', 100_000)}}`,
    `{"userId":"${ALICE}","applicationId":"42",${Array.from({ length: 10_000 }, (_, i) => `"p${i}":1`).join(',')}}`,
  ]) {
    const answer = await generate(host(), body);
    t.deepEqual([answer.status, answer.json.error], [400, 'invalid_request'], body.slice(0, 60));
    t.true(answer.text.length < 2000, 'not every mistake of thousands is told');
  }
});

test.serial('T209 · HTTP limits: a scope of fifty thousand words is invalid_scope', async (t) => {
  const words = [
    'x '.repeat(50_000),
    Array.from({ length: 30_000 }, (_, i) => `s${i}`).join(' '),
    'openid '.repeat(20_000),
  ];
  for (const scope of words) {
    for (const client of [form, { ...WEB, ...ALICE_LOGIN }]) {
      const answer = await host().token('demo', { ...client, scope });
      t.deepEqual([answer.status, answer.json.error], [400, 'invalid_scope']);
      t.true(answer.text.length < 1000, 'the scope is not echoed whole');
    }
  }
});

test.serial('T211 · HTTP limits: headers that are too large or too many are refused', async (t) => {
  const start = 'GET /realms/demo HTTP/1.1\r\nHost: x\r\n';
  const cookies = Array.from({ length: 500 }, (_, i) => `c${i}=${'v'.repeat(60)}`).join('; ');
  for (const line of [`X: ${'y'.repeat(32_768)}`, `Cookie: ${cookies}`, 'A: bcdefgh\r\n'.repeat(2500).trim()]) {
    const answer = await rawRequest(host().url, `${start}${line}\r\n\r\n`);
    t.true([400, 431].includes(rawStatus(answer)), `${line.slice(0, 20)} ${rawStatus(answer)}`);
    t.regex(answer, /^connection: close/im);
  }
  t.is((await fetchAnswer(host().realm('demo'))).status, 200);
});

test.serial('T213 · HTTP limits: a request with an ambiguous length is refused, and the connection ends', async (t) => {
  const start = 'POST /realms/demo/protocol/openid-connect/token HTTP/1.1\r\nHost: x\r\n';
  const type = 'Content-Type: application/x-www-form-urlencoded\r\n';
  const smuggled = 'GET /realms/demo HTTP/1.1\r\nHost: smuggled\r\n\r\n';
  const odd = [
    `${start}${type}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${start}${type}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${smuggled}`,
    `${start}${type}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde${smuggled}`,
    `${start}${type}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    `${start}${type}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${start}${type}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${start}${type}Content-Length: +5\r\n\r\nabcde${smuggled}`,
    `${start}${type}Content-Length: 5, 5\r\n\r\nabcde${smuggled}`,
    `${start}${type}Content-Length: 0x5\r\n\r\nabcde${smuggled}`,
    `${start}${type}Transfer-Encoding: chunked\r\n\r\n5;a=\nb\r\nabcde\r\n0\r\n\r\n${smuggled}`,
    `${start.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${smuggled}`,
    `${start}X: a\nContent-Length: 0\r\n\r\n`,
    `${start}X: a\r\n b: c\r\nContent-Length: 0\r\n\r\n`,
    `${start}${type}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    `${start}X:\0a\r\nContent-Length: 0\r\n\r\n`,
  ];
  for (const bytes of odd) {
    const answer = await rawRequest(host().url, bytes);
    t.is(rawStatus(answer), 400, `${JSON.stringify(bytes.slice(57, 200))}\n${answer}`);
    t.is(answer.match(/HTTP\/1\.1 /g)?.length, 1, 'one answer: nothing was smuggled in');
    t.regex(answer, /^connection: close/im);
  }
  t.is((await host().token('demo', form)).status, 200);
});

test.serial('T216 · HTTP limits: values that anonymous callers invent are not stored', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const visit = async (i: number) => {
    const name = `${i}-${'n'.repeat(4000)}`;
    const answers = await Promise.all([
      fetchAnswer(`${host().url}/realms/r${name}`, { headers: { 'accept-language': name } }),
      fetchAnswer(`${host().realm('demo')}/${name}?ui_locales=${name}`),
      fetchAnswer(`${host().realm('demo')}/login-actions/action-token?key=${name}`),
      host().token('demo', { ...form, client_id: name }),
      host().token('demo', { ...form, grant_type: name }),
      host().token('demo', { ...form, scope: name.slice(0, 1000) }),
    ]);
    t.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 400, 401, 400, 400],
    );
  };
  const heap = async (from: number, to: number) => {
    for (let i = from; i < to; i += 1) await visit(i);
    await host().events.flush();
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heap(0, 100);
  const after = await heap(100, 1100);
  // Retaining the names would take 4 MB more; the test and its client retain some themselves.
  t.true(after - before < 4_000_000, `${after - before} bytes stay`);
});

test.serial('T238 · HTTP limits: callers that go away in the middle leave nothing behind', async (t) => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => /TCPSocket/.test(name)).length;
  await fetchAnswer(host().realm('demo'));
  const before = sockets();
  const goAway = (path: string, type: string, i: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(host().url).port), '127.0.0.1', () => {
        const head = `POST /realms/demo${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n`;
        const whole = `${head}Content-Length: 20\r\n\r\n${'grant_type=password&'.slice(0, 20)}`;
        const bytes = [head, `${head}Content-Length: 500\r\n\r\ngrant_type=pass`, whole][i % 3] ?? whole;
        socket.write(bytes, () => (i % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()));
      });
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  for (const [path, type] of PLACES) {
    for (let i = 0; i < 170; i += 17)
      await Promise.all(Array.from({ length: 17 }, (_, n) => goAway(path, type, i + n)));
  }
  await eventually(() => sockets() <= before);
  t.is((await post(host(), 'token', form)).status, 200);
});
