import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import { replacing } from '../../core/di/module.js';
import { OutboundAlarm } from '../../core/host/module.js';
import type { OutboundAlarm as OutboundAlarmOf } from '../../core/keys/outbound/plugin-request.js';
import { Browser, type Visit } from '../helpers/form-browser.js';
import { startHost } from '../helpers/host.js';
import { shownLogin, shownRealm } from '../helpers/shown-realm.js';

const NAME = 'duo';
const CLIENT = 'DI1234567890ABCDEF12';
const SECRET = 'change-me-'.repeat(4);
const KEY = new TextEncoder().encode(SECRET);
const NETWORKS = ['--outbound-private-networks', '127.0.0.0/8'];

/** Duo's documented API (OIDC Auth API) for one application. Its answers may be wrong in one way at a time. */
async function startDuo(t: ExecutionContext) {
  const duo = {
    url: '',
    wrong: {} as Record<string, unknown>,
    status: 'allow',
    nonce: '',
    username: '',
  };
  const more = {
    /** A wrong answer in place of the correct one. */
    answer: undefined as [number, string] | undefined,
    /** Called in place of every answer. */
    silent: undefined as ((request: IncomingMessage) => void) | undefined,
    /** The paths of all requests. */
    asked: [] as string[],
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const send = (body: object, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const url = `${duo.url}${request.url}`;
    more.asked.push(request.url ?? '');
    if (more.silent !== undefined) return more.silent(request);
    if (more.answer !== undefined) return void response.writeHead(more.answer[0]).end(more.answer[1]);
    const isProven = await jose
      .jwtVerify(form.get('client_assertion') ?? '', KEY, {
        audience: url,
        issuer: CLIENT,
        subject: CLIENT,
        algorithms: ['HS512'],
      })
      .then(
        ({ payload }) => payload.jti !== undefined,
        () => false,
      );
    if (!isProven || form.get('client_id') !== CLIENT)
      return send({ stat: 'FAIL', code: 40002, message: 'invalid_client' }, 400);
    if (request.url === '/oauth/v1/health_check') return send({ stat: 'OK', response: { timestamp: 1 } });
    if (form.get('code') !== 'the-code') return send({ error: 'invalid_grant' }, 400);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: url,
      aud: CLIENT,
      iat: now,
      exp: now + 300,
      preferred_username: duo.username,
      nonce: duo.nonce,
      auth_result: { status: duo.status },
      ...duo.wrong,
    };
    send({
      id_token: await new jose.SignJWT(claims as jose.JWTPayload).setProtectedHeader({ alg: 'HS512' }).sign(KEY),
      token_type: 'Bearer',
      expires_in: 300,
    });
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  t.teardown(() => server.close());
  t.teardown(async () => server.closeAllConnections());
  duo.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(duo, { more });
}

async function scene(
  t: ExecutionContext,
  isolation: string,
  duoFailSafe = 'false',
  changes: (url: string) => Record<string, string> = () => ({}),
  limits = {},
) {
  const duo = await startDuo(t);
  const realm = await shownRealm(NAME);
  const config = {
    duoApiHostname: duo.url,
    duoIntegrationKey: CLIENT,
    duoSecretKey: SECRET,
    duoFailSafe,
    ...changes(duo.url),
  };
  /** Ends the request to Duo that is under way, as its time limit does. */
  let expire = () => {};
  const alarm: OutboundAlarmOf = (seconds, end) => {
    t.is(seconds, 10);
    expire = end;
    return () => {};
  };
  const host = await startHost(t, {
    realms: [{ ...realm, authenticatorConfig: [{ alias: 'duo', config }] }],
    plugins: [{ module: '@keyhost/duo', isolation, limits }],
    argv: NETWORKS,
    replace: [replacing(OutboundAlarm, alarm)],
  });
  const begin = async (browser: Browser): Promise<Visit> =>
    browser.submit(await browser.open(shownLogin(host, NAME).url), { username: 'ada', password: 'ada' });
  /** The browser at Duo, as its prompt sees it, and the address that it is sent back to. */
  const prompted = async (away: Visit) => {
    const asked = away.location?.searchParams;
    const { payload } = await jose.jwtVerify(asked?.get('request') ?? '', KEY, {
      audience: duo.url,
      issuer: CLIENT,
      algorithms: ['HS512'],
    });
    duo.nonce = String(payload.nonce);
    duo.username = String(payload.duo_uname);
    const back = new URL(String(payload.redirect_uri));
    t.is(asked?.get('client_id'), CLIENT);
    back.searchParams.set('state', String(payload.state));
    back.searchParams.set('code', 'the-code');
    return back.href;
  };
  return { host, duo, begin, prompted, expire: () => expire() };
}

const code = (page: Visit) => page.location?.searchParams.get('code');

for (const isolation of ['none', 'worker']) {
  test(`Duo: a login goes through Duo’s prompt, and continues if Duo allows it (${isolation})`, async (t) => {
    const { begin, prompted, duo } = await scene(t, isolation);
    const browser = new Browser();
    const away = await begin(browser);
    t.is(away.location?.origin, duo.url);
    t.is(away.location?.pathname, '/oauth/v1/authorize');
    const back = await prompted(away);
    t.is(duo.username, 'ada');
    const done = await browser.open(back);
    t.truthy(code(done), done.text);
    t.falsy(code(await browser.open(back)), 'once');
  });
}

test('Duo: only Duo’s answer to this login lets the user in', async (t) => {
  const { begin, prompted, duo } = await scene(t, 'none');
  const now = Math.floor(Date.now() / 1000);
  const wrongs: Record<string, Record<string, unknown>> = {
    denied: { auth_result: { status: 'deny' } },
    'no result': { auth_result: undefined },
    'another user': { preferred_username: 'eve' },
    'another login': { nonce: 'another' },
    'another application': { aud: 'DIXXXXXXXXXXXXXXXXXX' },
    'another issuer': { iss: 'https://duo.example/oauth/v1/token' },
    'an old answer': { iat: now - 1000, exp: now - 700 },
    'an answer without end': { exp: undefined },
  };
  for (const [what, wrong] of Object.entries(wrongs)) {
    const browser = new Browser();
    const back = await prompted(await begin(browser));
    duo.wrong = wrong;
    const page = await browser.open(back);
    t.falsy(code(page), what);
    t.regex(page.text, /Duo did not confirm your sign-in/, what);
  }
  duo.wrong = {};
  const browser = new Browser();
  const back = new URL(await prompted(await begin(browser)));
  back.searchParams.set('code', 'made up');
  t.falsy(code(await browser.open(back.href)), 'a code that Duo does not know');
  const other = new Browser();
  t.falsy(code(await other.open(await prompted(await begin(new Browser())))), 'the login of another browser');
});

for (const [failSafe, passes] of [
  ['false', false],
  ['true', true],
] as const) {
  test(`Duo: while Duo is down ${passes ? 'users pass if the step says so' : 'nobody signs in'}`, async (t) => {
    const here = await scene(t, 'none', failSafe);
    const off = await scene(t, 'none', failSafe, () => ({ duoApiHostname: 'http://127.0.0.1:1' }));
    const { duo, expire } = here;
    for (const [what, { host, begin }, broken, cause] of [
      ['fails', here, { answer: [503, '{}'] }, /status 503/],
      ['hangs', here, { silent: expire }, /no complete response within 10 s/],
      ['hangs up', here, { silent: ({ socket }) => socket.destroy() }, /socket hang up/],
      ['is off', off, {}, /ECONNREFUSED/],
    ] as [string, typeof here, Partial<typeof duo.more>, RegExp][]) {
      Object.assign(duo.more, broken);
      const page = await begin(new Browser());
      t.is(typeof code(page), passes ? 'string' : 'undefined', `${what}: ${page.text}`);
      if (!passes) t.regex(page.text, /Duo is unavailable/, what);
      const told = host.log.findLast(({ level, message }) => level === 'warn' && /Duo is down/.test(message));
      t.regex(JSON.stringify(told?.fields), cause, what);
    }
  });
}

test('Duo: if Duo is busy, users are asked to come back, and nobody passes', async (t) => {
  const { host, begin, prompted, duo } = await scene(t, 'none', 'true');
  const browser = new Browser();
  const back = await prompted(await begin(browser));
  for (const status of [408, 429]) {
    duo.more.answer = [status, '{"stat":"FAIL","message":"Slow down"}'];
    const page = await begin(new Browser());
    t.falsy(code(page), String(status));
    t.regex(page.text, /Duo is unavailable. Try again later/);
    const told = host.log.findLast(({ level, message }) => level === 'warn' && /Duo is busy/.test(message));
    t.regex(JSON.stringify(told?.fields), new RegExp(`status ${status}: Slow down`));
  }
  const returned = await browser.open(back);
  t.falsy(code(returned));
  t.regex(returned.text, /Duo is unavailable. Try again later/, 'also on the way back');
});

test('Duo: if the host ends the step before Duo is too late, nobody passes', async (t) => {
  const { begin, duo } = await scene(t, 'none', 'true', undefined, { callTimeout: 0.05 });
  duo.more.silent = () => {};
  const page = await begin(new Browser());
  t.is(page.status, 504);
  t.falsy(code(page), page.text);
});

const REFUSALS: [what: string, answer: [number, string] | undefined, cause: RegExp][] = [
  ['another server', [404, 'not here'], /status 404: no JSON object/],
  ['a page with 200', [200, '<html>'], /status 200: no JSON object/],
  ['FAIL with 200', [200, '{"stat":"FAIL","code":40103,"message":"timestamp"}'], /status 200: 40103, timestamp/],
  ['a redirect', [302, ''], /status 302/],
  ['a wrong key', undefined, /status 400: 40002, invalid_client/],
];

for (const [what, config, refusals] of [
  ['what it answers', { duoSecretKey: 'another-secret-'.repeat(3) }, REFUSALS],
  ['an address that is not allowed', { duoApiHostname: 'http://10.1.2.3' }, [['', undefined, /10\.1\.2\.3/]]],
] as [string, Record<string, string>, typeof REFUSALS][]) {
  test(`Duo: a user whom Duo refuses does not pass by the fail-safe: ${what}`, async (t) => {
    const { host, begin, duo } = await scene(t, 'none', 'true', () => config);
    for (const [refusal, answer, cause] of refusals) {
      duo.more.answer = answer;
      const page = await begin(new Browser());
      t.falsy(code(page), refusal);
      t.regex(page.text, /Duo is not set up correctly here/, refusal);
      const told = host.log.findLast(({ level, message }) => level === 'error' && /Duo refuses/.test(message));
      t.regex(JSON.stringify(told?.fields), cause, refusal);
    }
  });
}

test('Duo: a trailing slash of the host is no path, and a path is refused', async (t) => {
  const { begin, duo } = await scene(t, 'none', 'true', (url) => ({ duoApiHostname: ` ${url}/ ` }));
  const away = await begin(new Browser());
  t.is(away.location?.pathname, '/oauth/v1/authorize');
  t.deepEqual(duo.more.asked, ['/oauth/v1/health_check']);
  const error = await t.throwsAsync(
    scene(t, 'none', 'true', () => ({ duoApiHostname: 'api-1234abcd.duosecurity.com/frame' })),
  );
  t.regex(JSON.stringify(error), /duoApiHostname.*must be the name of a host without a path/);
});
