import test from 'ava';
import { exactJson, parseExactly, roundIntegers } from '../../core/model/exact-json.js';
import { adminCaller, administered, clientUuid } from '../helpers/admin.js';
import { type Answer, claimsOf } from '../helpers/host.js';
import { ALICE_LOGIN, introspect, logIn, userinfo, WEB } from '../helpers/login.js';
import { idIn, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const LONG = '9007199254740993';
const HUGE = '123456789012345678901234567890';
const EVERYWHERE = Object.fromEntries(
  ['access.token', 'id.token', 'userinfo.token', 'introspection.token', 'access.tokenResponse'].map((name) => [
    `${name}.claim`,
    'true',
  ]),
);

function hardcoded(name: string, value: string, type: string, more: object = {}) {
  const config = { 'claim.name': name, 'claim.value': value, 'jsonType.label': type, ...EVERYWHERE, ...more };
  return { name, protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config };
}

function ofAttribute(name: string, attribute: string, type: string) {
  const config = { 'user.attribute': attribute, 'claim.name': name, 'jsonType.label': type, ...EVERYWHERE };
  return { name, protocol: 'openid-connect', protocolMapper: 'oidc-usermodel-attribute-mapper', config };
}

/** Input by which users and admins try to get more than a number into a token. */
const ODD = [
  `${LONG},"admin":true`,
  `${LONG}"`,
  `${LONG}}`,
  `${LONG} `,
  `${LONG}\n`,
  `０${LONG}`,
  `${LONG}n`,
  `0x${LONG}`,
  `--${LONG}`,
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(2000),
];

function realm() {
  const made = testRealm('demo');
  const mappers = [
    hardcoded('h', LONG, 'long'),
    hardcoded('zeros', `+000${LONG}`, 'long'),
    hardcoded('least', '-9223372036854775808', 'long'),
    hardcoded('nested.deep', JSON.stringify({ list: [1, 'x'] }).replace('1', HUGE), 'JSON'),
    hardcoded('texts', JSON.stringify({ a: LONG, [LONG]: `"${HUGE}"` }), 'JSON'),
    hardcoded('small', '{"a":1.5,"b":1e300,"c":0}', 'JSON'),
    hardcoded('hidden', LONG, 'long', { 'access.token.claim': 'false' }),
    ofAttribute('big', 'big', 'long'),
    ...ODD.map((value, index) => hardcoded(`odd${index}`, value, 'long')),
    ...ODD.map((value, index) => hardcoded(`json${index}`, `[${value}`, 'JSON')),
    hardcoded('dear', `[${'9'.repeat(50_000)}]`, 'JSON'),
  ];
  const clients = (made.clients ?? []).map((client) =>
    client.clientId === 'web' ? { ...client, protocolMappers: mappers } : client,
  );
  const users = (made.users ?? []).map((user) =>
    user.username === 'alice' ? { ...user, attributes: { ...user.attributes, big: [LONG] } } : user,
  );
  return { ...made, clients, users };
}

const host = shareHost(test, administered({ realms: [realm()] }));

/** The raw JSON of a token. */
const payload = (token: string) => Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();

const EXPECTED = [
  `"h":${LONG}`,
  `"zeros":${LONG}`,
  '"least":-9223372036854775808',
  `"nested":{"deep":{"list":[${HUGE},"x"]}}`,
  `"texts":{"a":"${LONG}","${LONG}":"\\"${HUGE}\\""}`,
  `"big":${LONG}`,
  '"small":{"a":1.5,"b":1e+300,"c":0}',
];

test('T895 · long integers: one keeps all its digits in each response, and no other value becomes one', async (t) => {
  const tokens = await logIn(host(), {}, 'demo');
  const answer = await host().token('demo', { ...WEB, ...ALICE_LOGIN, scope: 'openid' });
  const call = await adminCaller(host());
  const uuid = await clientUuid(host(), 'web', 'demo');
  const examples = `/realms/demo/clients/${uuid}/evaluate-scopes/generate-example`;
  const example = async (kind: string) =>
    (await call('GET', `${examples}-${kind}?scope=openid&userId=${idIn('demo')}`)).text;
  const texts: Record<string, string> = {
    access: payload(tokens.access_token),
    id: payload(tokens.id_token),
    userinfo: (await userinfo(host(), tokens.access_token, 'demo')).text,
    introspection: (await introspect(host(), tokens.access_token, {}, 'demo')).text,
    answer: answer.text,
    'example of an access token': await example('access-token'),
    'example of an ID token': await example('id-token'),
    'example of userinfo': await example('userinfo'),
  };
  for (const [name, text] of Object.entries(texts)) {
    const compact = text.replaceAll(/\s/g, '');
    // Attributes are not members of the endpoint's response.
    const expected = name === 'answer' ? EXPECTED.filter((part) => !part.startsWith('"big"')) : EXPECTED;
    for (const part of expected) t.true(compact.includes(part), `${name}: ${part}`);
    const members = Object.keys(JSON.parse(text));
    t.deepEqual(
      members.filter((member) => /^(odd|json|dear|admin)/.test(member)),
      [],
      name,
    );
  }
  t.false('hidden' in claimsOf(tokens.access_token));
  t.regex(texts.introspection ?? '', new RegExp(`"hidden":${LONG}`));
});

test('T896 · long integers: tokens with one are checked, refreshed and ended as any, and its digits are signed', async (t) => {
  const tokens = await logIn(host(), {}, 'demo');
  const [header, body = '', signature] = tokens.access_token.split('.');
  const changed = Buffer.from(body, 'base64url').toString().replace(LONG, '9007199254740992');
  const forged = [header, Buffer.from(changed).toString('base64url'), signature].join('.');
  t.is(
    (await userinfo(host(), forged, 'demo')).status,
    401,
    'another number is another token, also if both round to one',
  );
  t.is((await introspect(host(), forged, {}, 'demo')).json.active, false);
  const refreshed: Answer = await host().token('demo', {
    ...WEB,
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
  });
  t.is(refreshed.status, 200, refreshed.text);
  t.true(payload(String(refreshed.json.access_token)).includes(`"h":${LONG}`));
});

test('T897 · long integers: JSON with one is read and written unchanged, and costs no more than its length', (t) => {
  for (const text of [
    `[${LONG},-${LONG},${HUGE}]`,
    `{"a":{"b":[${HUGE},{"c":"${HUGE}"}]},"d":null}`,
    `{"${HUGE}":"\\\\\\"${LONG}"}`,
    '{"__proto__":1}',
    '[1,1.5,"x",true,null]',
  ]) {
    t.is(exactJson(parseExactly(text) as object), text);
  }
  t.deepEqual(roundIntegers(parseExactly(`{"a":[${LONG}]}`)), JSON.parse(`{"a":[${LONG}]}`));
  t.throws(() => parseExactly(`[${'9'.repeat(1001)}]`), { instanceOf: SyntaxError });
  t.throws(() => parseExactly(`[${LONG}`), { instanceOf: SyntaxError });
  const itself: unknown[] = [1n];
  itself.push(itself);
  t.throws(() => exactJson(itself), { instanceOf: TypeError });
  t.is(
    exactJson({ a: undefined, b: [undefined, () => 1], c: 1n, d: new Date(0) }),
    '{"b":[null,null],"c":1,"d":"1970-01-01T00:00:00.000Z"}',
  );
  const quotes = `["${'\\"'.repeat(200_000)}",${LONG}]`;
  t.is(exactJson(parseExactly(quotes) as object), quotes);
});
