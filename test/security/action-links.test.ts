import test from 'ava';
import { claimsOf, fetchAnswer } from '../helpers/host.js';
import { follow, issueKey, press } from '../helpers/login.js';
import { rawRequest, rawStatus } from '../helpers/raw.js';
import { ALICE, guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const EVE = 'e7e00000-0000-4000-8000-000000000006';
const MARKUP = '"><img src=x onerror=alert(1)>';

const host = shareHost(test, {
  realms: [
    guardedRealm('demo'),
    guardedRealm('other'),
    guardedRealm('once', { singleUse: true }),
    guardedRealm(
      'asking',
      { confirm: true, singleUse: true },
      {
        displayName: `<b>Asking</b>${MARKUP}`,
        users: [
          ...(guardedRealm('asking').users ?? []),
          { id: `${EVE}-asking`, username: '<b>eve</b>', firstName: MARKUP, email: 'eve@example.test', enabled: true },
        ],
      },
    ),
  ],
});
const link = (key: string, realm = 'demo', more = '') =>
  `${host().realm(realm)}/login-actions/action-token?key=${key}${more}`;
const acts = async (realm: string) =>
  (await host().stored(realm)).filter(({ type }) => type.startsWith('EXECUTE_ACTION_TOKEN')).length;

test.serial('T150 · action links: HEAD of a link does nothing and shows nothing, however often', async (t) => {
  const key = await issueKey(host(), 'once');
  for (let i = 0; i < 3; i += 1) {
    const head = await fetchAnswer(link(key, 'once'), { method: 'HEAD' });
    t.deepEqual([head.status, head.text, head.headers.get('set-cookie')], [200, '', null]);
  }
  t.is(await acts('once'), 0, 'not even an event');
  t.is((await follow(host(), key, {}, 'once')).status, 200);
  t.is((await follow(host(), key, {}, 'once')).status, 400);
});

test.serial(
  'T151 T153 · action links: where a link asks first, GET shows a page without acting and POST acts once',
  async (t) => {
    const key = await issueKey(host(), 'asking');
    for (const accept of ['*/*', 'text/html', 'text/html', 'application/json', 'text/html']) {
      const page = await follow(host(), key, { accept }, 'asking');
      t.deepEqual([page.status, page.headers.get('set-cookie')], [200, null], accept);
      t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
      t.notRegex(page.text, /access_token|<script|http-equiv/i, 'nothing goes on by itself');
      t.regex(page.headers.get('cache-control') ?? '', /no-store/);
    }
    t.is(await acts('asking'), 0);
    const posted = await press(host(), key, 'asking');
    t.deepEqual([posted.status, posted.headers.get('location')], [200, null]);
    t.regex(posted.headers.get('cache-control') ?? '', /no-store/);
    t.is(posted.json.scope, 'newsletterscope42');
    t.is(claimsOf(posted.json.access_token ?? '').sub, `${ALICE}-asking`);
    for (const spent of [await press(host(), key, 'asking'), await follow(host(), key, {}, 'asking')])
      t.deepEqual([spent.status, spent.json.access_token], [400, undefined]);
  },
);

test.serial('T240 · action links: of twenty that press the button at once one gets the token', async (t) => {
  const key = await issueKey(host(), 'asking');
  const race = await Promise.all(Array.from({ length: 20 }, () => press(host(), key, 'asking')));
  t.is(race.filter(({ status }) => status === 200).length, 1);
  t.is(race.filter(({ status }) => status === 400).length, 19);
  t.is(race.filter(({ text }) => text.includes('access_token')).length, 1);
});

test.serial(
  'T278 · action links: the token of a link has one scope and one audience, and knows nothing of the user',
  async (t) => {
    const { json } = await follow(host(), await issueKey(host()));
    const claims = claimsOf(json.access_token ?? '') as Record<string, unknown>;
    t.deepEqual([claims.scope, claims.aud, claims.azp], ['newsletterscope42', 'newsletter-api', 'nl']);
    t.true(Number(claims.exp) - Number(claims.iat) <= 300);
    t.is(Object.keys(claims).sort().join(' '), 'act aud azp exp iat iss jti scope sid sub typ');
    t.false('id_token' in json);
  },
);

test.serial(
  'T279 · action links: a link of one realm is refused by the other, in both directions, and still good at home',
  async (t) => {
    for (const [home, away] of [
      ['demo', 'other'],
      ['other', 'demo'],
    ] as const) {
      const key = await issueKey(host(), home);
      for (const visit of [follow(host(), key, {}, away), press(host(), key, away)]) {
        const answer = await visit;
        t.deepEqual([answer.status, answer.json.access_token], [400, undefined]);
      }
      t.is((await follow(host(), key, {}, home)).status, 200, home);
    }
  },
);

test.serial(
  'T281 T204 · action links: a key that is missing, repeated, an array, endless or broken is refused',
  async (t) => {
    const key = await issueKey(host());
    const path = `${host().realm('demo')}/login-actions/action-token`;
    const queries = ['', '?', '?key', '?key=', `?key=${key}&key=${key}`, `?key=${key}&key=x`, `?key[]=${key}`];
    for (const query of [...queries, `?KEY=${key}`, '?key=%E0%A4%A', '?key=%00', '?key=%ff', '?key=.', '?key=..']) {
      for (const accept of ['text/html', 'application/json']) {
        const answer = await fetchAnswer(`${path}${query}`, { headers: { accept } });
        t.is(answer.status, 400, query);
        t.notRegex(answer.text, /access_token|\bat .*\.js/);
      }
    }
    const long = `GET /realms/demo/login-actions/action-token?key=${'x'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`;
    t.true([400, 413, 414, 431].includes(rawStatus(await rawRequest(host().url, long))));
    const post = (body: string, query = '') =>
      fetchAnswer(`${path}${query}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    for (const body of ['', 'key=', `key=${key}&key=x`, `key[]=${key}`, 'key=%E0%A4%A', 'key=%ff'])
      t.is((await post(body)).status, 400, body);
    t.is(
      (await post(`key=${await issueKey(host())}x`, `?key=${key}`)).status,
      400,
      'one key in the body, one in the query',
    );
    t.is((await post(`key=${'x'.repeat(100_000)}`)).status, 400);
    t.is((await post(`key=${'x'.repeat(300_000)}`)).status, 413);
    const json = await fetchAnswer(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key }),
    });
    t.is(json.status, 415);
    t.is((await post(`key=${key}`, `?key=${key}`)).status, 200, 'the same key in both');
  },
);

test.serial(
  'T285 · action links: additional parameters of a link change neither its target nor its result',
  async (t) => {
    const key = await issueKey(host());
    const extras = [
      ['redirect_uri', 'https://evil.test'],
      ['client_id', 'web2'],
      ['scope', 'openid newsletterscope43'],
      ['execution', 'x'],
      ['app-id', '43'],
      ['requested_subject', 'dave'],
      ['audience', 'web'],
      ['userId', 'dave'],
      ['nonce', 'x'],
    ];
    const all = extras.map(([name, value]) => `&${name}=${encodeURIComponent(value ?? '')}`);
    for (const more of [...all, all.join('')]) {
      const answer = await fetchAnswer(link(key, 'demo', more));
      t.deepEqual([answer.status, answer.headers.get('location')], [200, null], more);
      t.false(answer.text.includes('evil.test'));
      const claims = claimsOf(answer.json.access_token ?? '') as Record<string, unknown>;
      t.deepEqual(
        [claims.sub, claims.scope, claims.aud, claims.azp],
        [ALICE, 'newsletterscope42', 'newsletter-api', 'nl'],
        more,
      );
    }
  },
);

test.serial(
  'T286 T218 · action links: the page of a link cannot be framed, loads nothing but its style, and shows markup as text',
  async (t) => {
    const key = await issueKey(host(), 'asking', EVE);
    const page = await follow(host(), key, { accept: 'text/html' }, 'asking');
    t.is(page.status, 200);
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"])
      t.true(policy.includes(directive), directive);
    t.notRegex(policy, /script-src|unsafe-eval/);
    t.deepEqual(
      ['x-frame-options', 'x-content-type-options', 'referrer-policy'].map((name) => page.headers.get(name)),
      ['DENY', 'nosniff', 'no-referrer'],
    );
    const tags = new Set(page.text.match(/<[!/]?[a-z0-9]+/gi));
    t.true(tags.has('<form'));
    for (const tag of ['<img', '<b', '<script', '<iframe', '<base']) t.false(tags.has(tag), tag);
    t.notRegex(page.text, /<[^>]*\s(src|on\w+)=|url\(|@import/i, 'nothing is fetched');
    const links = [...page.text.matchAll(/<[^>]*\shref="([^"]*)"/gi)].map(([, address = '']) => address);
    t.is(links.length, 2);
    for (const address of links) t.regex(address, /^(data:,|\/resources\/[\w-]{12}\/login\/login\.css)$/);
    t.regex(page.text, /&lt;b&gt;Asking&lt;\/b&gt;/);
    t.false(page.text.includes('eve'), 'the name is masked');
    t.false(page.text.includes('eve@example.test'));
  },
);
