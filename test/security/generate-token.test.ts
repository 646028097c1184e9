import test from 'ava';
import { claimsOf, fetchAnswer, type TestHost } from '../helpers/host.js';
import { basic, follow, generate } from '../helpers/login.js';
import { rawRequest, rawStatus } from '../helpers/raw.js';
import { ALICE, CAROL, DAVE, guardedRealm, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const slow = testRealm('slow');
Object.assign(slow.providers?.['realm-restapi-extension']?.newsletter ?? {}, {
  config: { authentication: 'none', requestsPerSecond: 1 },
});
const open = guardedRealm('open');
Object.assign(open.providers?.['realm-restapi-extension']?.newsletter ?? {}, { config: { privilegedSubjects: true } });
const host = shareHost(test, {
  realms: [guardedRealm('demo'), guardedRealm('other'), open, slow],
});
const credentials = basic('nl', 'nl-secret');
const input = { userId: ALICE, applicationId: '1' };
const ask = (body: unknown, headers: Record<string, string> = {}): Promise<Awaited<ReturnType<typeof generate>>> =>
  generate(host(), body, { ...credentials, ...headers });
const issued = (server: TestHost) => server.log.filter(({ message }) => message.startsWith('event NEWSLETTER_TOKEN'));

test('T271 · generate-token: a link is made on the host’s own address, expires, and is on record', async (t) => {
  const answer = await ask(input, {
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.test',
  });
  t.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
  t.is(answer.headers.get('content-type'), 'application/json');
  const { token = '', link } = answer.json;
  t.is(link, `${host().realm('demo')}/login-actions/action-token?key=${token}`);
  const claims = claimsOf(token) as unknown as Record<string, number | string>;
  t.like(claims, {
    typ: 'external-app-notification',
    iss: host().realm('demo'),
    aud: host().realm('demo'),
    sub: ALICE,
  });
  t.is(Number(claims.exp) - Number(claims.iat), 300);
  t.regex(String(claims.jti), /^[0-9a-f-]{36}$/);
  t.not(claimsOf((await ask(input)).json.token ?? '').jti, claims.jti);
  const event = (await host().stored('demo')).find(({ details }) => details.token_id === claims.jti);
  t.like(event, { type: 'NEWSLETTER_TOKEN', userId: ALICE, clientId: 'nl' });
  t.is(issued(host()).filter(({ fields }) => JSON.stringify(fields).includes(token)).length, 0);
});

test('T271 · generate-token: refused callers are recorded too', async (t) => {
  t.is((await generate(host(), input)).status, 401);
  t.is((await generate(host(), input, basic('svc', 'svc-secret'))).status, 403);
  const errors = (await host().stored('demo')).filter(({ type }) => type === 'NEWSLETTER_TOKEN_ERROR');
  t.true(errors.some(({ error, clientId }) => error === 'not_allowed' && clientId === 'svc'));
});

test('T271 · generate-token: admins and service accounts get a link only if the realm says so; the event alone says why not', async (t) => {
  for (const realm of ['demo', 'open']) {
    const compiled = await host().loadedRealm(realm);
    for (const username of ['dave', 'service-account-nl', 'alice']) {
      const userId = (await host().users.byUsername(compiled, username))?.id;
      const answer = await generate(host(), { userId, applicationId: '1' }, credentials, realm);
      t.is(answer.status, username === 'alice' || realm === 'open' ? 200 : 404, `${realm} ${username}`);
    }
  }
  const nobody = await ask({ ...input, userId: 'nobody' });
  const dave = await ask({ ...input, userId: DAVE });
  t.deepEqual([dave.status, dave.text], [nobody.status, nobody.text]);
  const events = await host().stored('demo');
  const reasonOf = (userId: string) =>
    events.findLast((event) => event.userId === userId && event.error)?.details.reason;
  t.is(reasonOf(DAVE), 'the user is an admin or a service account, and privilegedSubjects is off');
  t.is(reasonOf('nobody'), 'user not found');
});

test('T272 · generate-token: an applicationId is one plain word, or there is no token', async (t) => {
  const odd = [
    '1 openid admin',
    '1\nopenid',
    '1\n',
    '\n1',
    '1%20openid',
    '1\t',
    '1\u00a0',
    '1\u2028',
    '1\u0000',
    '1,2',
    '',
    '*',
    '1/2',
    '１',
    'x'.repeat(65),
  ];
  for (const applicationId of odd) {
    const answer = await ask({ ...input, applicationId });
    t.deepEqual(
      [answer.status, answer.json.error, answer.json.token],
      [400, 'invalid_request', undefined],
      applicationId,
    );
  }
});

test('T274 T275 · generate-token: members of another type, and unknown members, are refused', async (t) => {
  for (const wrong of [[], ['1'], {}, { a: 1 }, 1, 0.5, true, null]) {
    for (const name of ['userId', 'applicationId'])
      t.is((await ask({ ...input, [name]: wrong })).status, 400, JSON.stringify(wrong));
  }
  for (const name of ['userId', 'applicationId']) t.is((await ask({ ...input, [name]: undefined })).status, 400);
  const powers = {
    scope: 'openid',
    expiresIn: 999_999,
    aud: 'x',
    redirect_uri: 'https://evil.test',
    typ: 'x',
    azp: 'web',
    exp: 1,
  };
  for (const [name, value] of Object.entries(powers)) {
    const answer = await ask({ ...input, [name]: value });
    t.deepEqual([answer.status, answer.json.token], [400, undefined], name);
  }
  for (const name of ['__proto__', 'constructor', 'prototype']) {
    const answer = await ask(`{"userId":"${ALICE}","applicationId":"1","${name}":{"scope":"openid"}}`);
    t.deepEqual([answer.status, answer.json.token], [400, undefined], name);
  }
  const inQuery = await fetchAnswer(`${host().realm('demo')}/newsletter/generate-token?expiresIn=99999&scope=openid`, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
  t.is(inQuery.json.expiresIn, 300);
});

test('T276 · generate-token: only one well-formed JSON object in UTF-8 is read', async (t) => {
  const bodies = ['', ' ', 'null', '[]', '"x"', '1', '{', '{"userId":"a"', `${JSON.stringify(input)}x`];
  bodies.push(`{"userId":"${ALICE}","userId":"b","applicationId":"1"}`, '['.repeat(50_000), '{"a":'.repeat(20_000));
  for (const body of bodies) t.is((await ask(body)).status, 400, body.slice(0, 20));
  t.true(
    [200, 400].includes((await ask(`\ufeff${JSON.stringify(input)}`)).status),
    'RFC 8259 lets a reader skip the mark',
  );
  const broken = Buffer.concat([
    Buffer.from('{"userId":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('","applicationId":"1"}'),
  ]);
  t.is((await ask(broken)).status, 400);
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    '',
  ]) {
    const answer = await ask(input, { 'content-type': type });
    t.is(answer.status, 415, type);
  }
  t.is((await ask(input, { 'content-encoding': 'gzip' })).status, 415);
  t.is((await ask(input, { 'content-type': 'application/json; charset=utf-16' })).status, 415);
  t.is((await ask(input, { 'content-type': 'application/json; charset="UTF-8"' })).status, 200);
  t.is((await ask({ ...input, pad: 'x'.repeat(300_000) })).status, 413);
  const lines = [
    `POST ${new URL(host().realm('demo')).pathname}/newsletter/generate-token HTTP/1.1`,
    'Host: x',
    'Connection: close',
  ];
  const chunked = [
    ...lines,
    `Authorization: ${credentials.authorization}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
    '',
    'zz',
    '',
  ];
  t.is(rawStatus(await rawRequest(host().url, chunked.join('\r\n'))), 400);
});

test('T277 · generate-token: users that get no link are indistinguishable', async (t) => {
  const unknown = [
    'nobody',
    CAROL,
    DAVE,
    `${ALICE}-other`,
    'alice',
    'ALICE',
    'alice@example.test',
    `${ALICE} `,
    ALICE.toUpperCase(),
  ];
  const answers = await Promise.all(unknown.map((userId) => ask({ ...input, userId })));
  const told = new Set(
    answers.map(({ status, text, headers }) => `${status} ${text} ${headers.get('content-length')}`),
  );
  t.deepEqual([...told], ['404 {"error":"not_found","error_description":"User not found"} 58']);
});

test('T283 · generate-token: thousands of links cost the store nothing, and each of them still works', async (t) => {
  const rows = async () => (await host().store.sessions.list('other', {})).length;
  const before = await rows();
  const tokens: string[] = [];
  for (let round = 0; round < 40; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        generate(host(), { userId: `${ALICE}-other`, applicationId: `a${index}` }, credentials, 'other'),
      ),
    );
    for (const { status, json } of answers) if (status === 200) tokens.push(json.token ?? '');
  }
  t.is(tokens.length, 1000);
  t.is(await rows(), before);
  for (const key of [tokens[0], tokens[500], tokens[999]])
    t.is((await follow(host(), key ?? '', {}, 'other')).status, 200);
});

test('T283 · generate-token: a caller that requests too many links gets 429, and no other caller does', async (t) => {
  const ask = (realm: string, headers = {}) =>
    generate(host(), { userId: `${ALICE}-${realm}`, applicationId: '42' }, headers, realm);
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask('slow')));
  const counts = [200, 429].map((status) => answers.filter((answer) => answer.status === status).length);
  t.deepEqual(counts, [10, 2]);
  const refused = answers.find(({ status }) => status === 429);
  t.is(refused?.json.error, 'too_many_requests');
  // The window takes ten seconds, and began with the first request.
  t.regex(refused?.headers.get('retry-after') ?? '', /^(?:[1-9]|10)$/);
  t.is((await ask('other', credentials)).status, 200);
});
