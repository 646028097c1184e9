import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import test from 'ava';
import { edited, encodePart, partOf, resigned, sealed } from '../helpers/forge.js';
import { fetchAnswer } from '../helpers/host.js';
import { follow, introspect, issueKey, logIn, userinfo } from '../helpers/login.js';
import { guardedRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';
import { opened } from '../helpers/token-endpoints.js';

const host = shareHost(test, { realms: [guardedRealm('demo'), guardedRealm('other')] });

/** One valid token of each type. */
async function good() {
  const { access_token: access, refresh_token: refresh, id_token: id } = await logIn(host());
  return { access, refresh, id, link: await issueKey(host()) };
}

test('T110 · forged tokens: an unsigned token is refused, however it spells none', async (t) => {
  for (const token of Object.values(await good())) {
    const [, payload = ''] = token.split('.');
    for (const alg of ['none', 'None', 'nOnE', 'NONE', '']) {
      const head = encodePart({ ...partOf(token, 0), alg });
      for (const forged of [`${head}.${payload}.`, `${head}.${payload}`, `${head}.${payload}.${token.split('.')[2]}`])
        t.deepEqual(await opened(host(), forged), [], `${alg} ${forged.length}`);
    }
  }
});

test('T111 · forged tokens: a token signed HS256 with the public key as secret is refused everywhere', async (t) => {
  const { json } = await fetchAnswer(`${host().oidc('demo')}/certs`);
  const [jwk] = (json as unknown as { keys: (JsonWebKey & { kid: string })[] }).keys;
  if (jwk === undefined) return t.fail('no key');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const pem = key.export({ format: 'pem', type: 'spki' }).toString();
  const root = await fetchAnswer(host().realm('demo'));
  const secrets = {
    PEM: pem,
    'PEM with CRLF': pem.replaceAll('\n', '\r\n'),
    'PEM with a blank': `${pem.trim()} `,
    'PEM trimmed': pem.trim(),
    DER: key.export({ format: 'der', type: 'spki' }),
    JWK: JSON.stringify(jwk),
    'the realm’s public_key': String(root.json.public_key),
    empty: '',
  };
  const { access, link } = await good();
  for (const [what, secret] of Object.entries(secrets)) {
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
    ] as const) {
      for (const token of [access, link]) {
        const input = `${encodePart({ alg, typ: 'JWT', kid: jwk.kid })}.${token.split('.')[1]}`;
        const forged = `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
        t.deepEqual(await opened(host(), forged), [], `${what} ${alg}`);
      }
    }
  }
});

test('T112 · forged tokens: a changed payload under the old signature is refused, and the change is visible nowhere', async (t) => {
  const tokens = await good();
  for (const token of Object.values(tokens)) {
    for (const edit of [
      { sub: 'edited-by-me' },
      { 'app-id': 'edited-by-me' },
      { exp: 9_999_999_999 },
      { scope: 'edited-by-me' },
    ])
      t.deepEqual(await opened(host(), edited(token, edit)), [], JSON.stringify(edit));
  }
  const page = await follow(host(), edited(tokens.link, { 'app-id': 'edited-by-me' }), { accept: 'text/html' });
  t.is(page.status, 400);
  t.false(page.text.includes('edited-by-me'));
});

test('T114 · forged tokens: kid names one of the realm’s keys exactly, or the token is refused', async (t) => {
  const tokens = await good();
  const foreign = partOf(await issueKey(host(), 'other'), 0).kid;
  const kids = [
    '../../etc/passwd',
    `"' or 1=1--`,
    '__proto__',
    'constructor',
    '',
    [partOf(tokens.access, 0).kid],
    {},
    null,
    1,
    foreign,
  ];
  for (const kid of [...kids, undefined]) {
    for (const token of [tokens.access, tokens.link])
      t.deepEqual(await opened(host(), edited(token, {}, { kid })), [], JSON.stringify(kid));
    const signed = await sealed(host(), { kid }, JSON.stringify(partOf(tokens.link, 1)));
    t.is((await follow(host(), signed)).status, 400, `well signed, kid ${JSON.stringify(kid)}`);
  }
});

test('T115 · forged tokens: crit is refused even under a good signature', async (t) => {
  const tokens = await good();
  const crit = { crit: ['foo'], foo: 1 };
  for (const token of Object.values(tokens)) t.deepEqual(await opened(host(), edited(token, {}, crit)), []);
  for (const token of [tokens.link, tokens.refresh]) {
    const payload = JSON.stringify(partOf(token, 1));
    t.deepEqual(await opened(host(), await sealed(host(), crit, payload)), []);
  }
  t.is((await follow(host(), await sealed(host(), {}, JSON.stringify(partOf(tokens.link, 1))))).status, 200);
});

// Serial, because CPU time of other tests would count.
test.serial('T116 · forged tokens: an encrypted token, a bomb and a megabyte are refused at once', async (t) => {
  const jwe = encodePart({ alg: 'PBES2-HS512+A256KW', enc: 'A256GCM', p2c: 2_147_483_647, p2s: 'AAAA' });
  const bomb = deflateRawSync(Buffer.alloc(8 << 20)).toString('base64url');
  const heavy = [
    `${jwe}.AAAA.AAAA.AAAA.AAAA`,
    `${encodePart({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' })}..AAAA.${bomb}.AAAA`,
    `${encodePart({ alg: 'HS512', zip: 'DEF' })}.${bomb}.AAAA`,
    '.'.repeat(200_000),
    `${encodePart({ alg: 'HS512' })}.${'A'.repeat(1 << 20)}.AAAA`,
  ];
  for (const token of heavy) {
    const before = process.cpuUsage();
    t.deepEqual(await opened(host(), token), [], token.slice(0, 30));
    const { user, system } = process.cpuUsage(before);
    // The margin is for concurrent tests; two thousand million rounds of a hash would take twenty times as long.
    t.true(user + system < 60_000_000, 'eleven requests, none of which does work for it');
  }
});

test('T117 · forged tokens: exp, nbf and iat that are no whole seconds are refused under a good signature', async (t) => {
  const { link, refresh, access } = await good();
  const odd = ['"1900000000"', '1900000000.5', '-1', '1e308', '1e999', 'null', 'true', '[1900000000]', '{}'];
  for (const token of [link, refresh]) {
    for (const claim of ['exp', 'nbf', 'iat']) {
      for (const value of odd) {
        const { [claim]: _, ...rest } = partOf(token, 1);
        const payload = `${JSON.stringify(rest).slice(0, -1)},"${claim}":${value}}`;
        t.deepEqual(await opened(host(), await sealed(host(), {}, payload)), [], `${claim} ${value}`);
      }
    }
  }
  const times = [{ exp: undefined }, { iat: 9_999_999_999 }, { nbf: 9_999_999_999 }, { exp: 1 }];
  for (const token of [link, access]) {
    for (const change of times)
      t.deepEqual(await opened(host(), await resigned(host(), token, change)), [], JSON.stringify(change));
  }
  t.deepEqual(await opened(host(), await resigned(host(), link, { iat: undefined })), []);
});

test('T118 · forged tokens: a tampered token between a thousand good ones is never taken for one', async (t) => {
  const { access_token: token } = await logIn(host());
  const other = await resigned(host(), token, { name: 'Alicf Example' });
  const [head, payload, signature] = token.split('.');
  const tampered = [
    `${head}.${other.split('.')[1]}.${signature}`,
    `${head}.${payload}.${other.split('.')[2]}`,
    edited(token, { sub: 'ca401000-0000-4000-8000-000000000005' }),
  ];
  let accepted = 0;
  for (let round = 0; round < 100; round += 1) {
    const answers = await Promise.all([
      ...Array.from({ length: 7 }, () => userinfo(host(), token)),
      ...tampered.map((forged) => userinfo(host(), forged)),
    ]);
    if (answers.slice(0, 7).some(({ status }) => status !== 200)) t.fail('a good token was refused');
    accepted += answers.slice(7).filter(({ status }) => status !== 401).length;
  }
  t.is(accepted, 0);
});

test('T119 · forged tokens: a token that is cut, padded, broken or written in another alphabet is refused', async (t) => {
  const { access, refresh, link } = await good();
  for (const token of [access, refresh, link]) {
    const middle = token.indexOf('.') + 5;
    const forged = [
      ...Array.from({ length: 10 }, (_, cut) => token.slice(0, -(cut + 1))),
      ...['=', '==', '.', '.AAAA', 'A', '%00', '\0'].map((junk) => `${token}${junk}`),
      `${token.slice(0, middle)}\n${token.slice(middle)}`,
      `${token.slice(0, middle)} ${token.slice(middle)}`,
      token.replace('.', '..'),
      token.replaceAll('-', '+').replaceAll('_', '/'),
    ];
    for (const variant of forged.filter((variant) => variant !== token))
      t.deepEqual(await opened(host(), variant), [], JSON.stringify(variant.slice(-12)));
    t.is((await introspect(host(), `${token}\n`)).text, '{"active":false}');
  }
});
