import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { eventually } from '../helpers/eventually.js';
import { fetchAnswer } from '../helpers/host.js';
import { folder, remote, run } from '../helpers/process.js';
import { testRealm } from '../helpers/realms.js';

const LIBRARY = '/usr/lib/softhsm/libsofthsm2.so';
const KEYS = 'org.keycloak.keys.KeyProvider';
const PIN = 'pin-of-a-token';

const component = (id: string, label: string, priority: number, more: object = {}) => ({
  id,
  name: id,
  providerId: 'pkcs11',
  config: { priority: [String(priority)], label: [label], ...more },
});

/** More keys of one label than a component may have. */
const MANY = 21;

/**
 * A folder of SoftHSM with three tokens: `shop` has all types of keys, `bank` a key of its own, and `crowd` many with
 * one label.
 */
async function softHsm(dir: string) {
  const conf = join(dir, 'softhsm2.conf');
  await mkdir(join(dir, 'tokens'));
  await writeFile(
    conf,
    `directories.tokendir = ${join(dir, 'tokens')}\nobjectstore.backend = file\nlog.level = ERROR\n`,
  );
  // The library reads it when it is loaded.
  const env = { SOFTHSM2_CONF: conf };
  const util = (...words: string[]) =>
    execFileSync('softhsm2-util', words, { env: { ...process.env, ...env }, stdio: 'pipe' });
  for (const token of ['shop', 'bank', 'crowd'])
    util('--init-token', '--free', '--label', token, '--so-pin', '5678', '--pin', PIN);
  const made = {
    ec: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    ec384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    ec521: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    bank: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  };
  const crowd = Array.from(
    { length: MANY },
    () => ['crowd', generateKeyPairSync('ec', { namedCurve: 'P-256' })] as const,
  );
  for (const [index, [label, { privateKey }]] of [...Object.entries(made), ...crowd].entries()) {
    const file = join(dir, `${label}.pem`);
    await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const token = label === 'bank' || label === 'crowd' ? label : 'shop';
    const id = (index + 1).toString(16).padStart(2, '0');
    util('--import', file, '--token', token, '--label', label, '--id', id, '--pin', PIN);
    await rm(file);
  }
  return { made, env };
}

const hasSoftHsm = existsSync(LIBRARY);
(hasSoftHsm ? test : test.skip)(
  'PKCS#11: a realm signs with every sort of key in SoftHSM, and with those of its own token alone',
  async (t) => {
    const dir = await folder(t, []);
    const { made, env } = await softHsm(dir);
    const realm = (name: string, algorithm: string, ...components: object[]) =>
      testRealm(name, {
        providers: {},
        defaultSignatureAlgorithm: algorithm,
        components: { [KEYS]: components as never },
      });
    const shop = { token: 'shop', pin: PIN };
    for (const one of [
      realm('shop', 'ES256', component('a', 'ec', 500)),
      realm('es384', 'ES384', component('a', 'ec384', 500)),
      realm('es512', 'ES512', component('a', 'ec521', 500)),
      realm('rs256', 'RS256', component('a', 'rsa', 500)),
      realm('ps512', 'PS512', component('a', 'rsa', 500, { algorithm: ['PS512'] })),
      // The label of another realm's key, in a token that has none of it.
      realm('bank', 'ES256', component('a', 'ec', 500), component('b', 'bank', 400)),
      realm('none', 'ES256', component('a', 'ec', 500)),
      realm('crowd', 'ES256', component('a', 'crowd', 500)),
      realm('wrong', 'ES256', component('a', 'bank', 500)),
    ]) {
      await writeFile(join(dir, 'realms', `${one.realm}.json`), JSON.stringify(one));
    }
    await writeFile(
      join(dir, 'plugins.json'),
      JSON.stringify({
        plugins: [
          {
            module: '@keyhost/pkcs11',
            config: {
              'keys/pkcs11': {
                library: LIBRARY,
                realms: {
                  shop,
                  es384: shop,
                  es512: shop,
                  rs256: shop,
                  ps512: shop,
                  bank: { token: 'bank', pin: PIN },
                  wrong: { token: 'missing', pin: PIN },
                  crowd: { token: 'crowd', pin: PIN },
                },
              },
            },
          },
        ],
      }),
    );
    const started = await run(t, dir, ['start-dev'], env);
    t.truthy(started.url, started.output());
    const host = remote(started);
    const ask = (name: string) =>
      host.token(name, { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' });
    const x = (pem: keyof typeof made) => createPublicKey(made[pem].privateKey).export({ format: 'jwk' });
    for (const [name, alg, key] of [
      ['shop', 'ES256', 'ec'],
      ['es384', 'ES384', 'ec384'],
      ['es512', 'ES512', 'ec521'],
      ['rs256', 'RS256', 'rsa'],
      ['ps512', 'PS512', 'rsa'],
      ['bank', 'ES256', 'bank'],
    ] as const) {
      // Some at once, in the sessions of the token.
      const answers = await Promise.all(Array.from({ length: 12 }, () => ask(name)));
      const certs = `${host.url}/realms/${name}/protocol/openid-connect/certs`;
      const set = createRemoteJWKSet(new URL(certs));
      for (const { status, json, text } of answers) {
        t.is(status, 200, text);
        const token = String(json.access_token);
        await jwtVerify(token, set, { algorithms: [alg] });
        const { keys } = (await fetchAnswer(certs)).json as unknown as {
          keys: { kid: string; n?: string; x?: string }[];
        };
        const { kid } = decodeProtectedHeader(token);
        const published = keys.find((one) => one.kid === kid);
        t.like(published, { alg, use: 'sig', ...x(key) });
      }
    }
    // A realm without a token from the operator has no keys: nothing signs for it, and the host generates no key
    // instead.
    t.is((await ask('none')).status, 503);
    t.is((await ask('wrong')).status, 503);
    await eventually(() => started.output().includes('the realm none has no token in plugins.json'));
    await eventually(() => started.output().includes('there is no token missing'));
    t.false(started.output().includes(PIN));
    t.is((await ask('crowd')).status, 503);
    await eventually(() => started.output().includes('The token has more than 20 such keys that sign.'));

    // After a kill and a start without the HSM, earlier tokens are valid, and nothing is signed.
    const { json: before } = await ask('shop');
    const own = { client_id: 'svc', client_secret: 'svc-secret' };
    started.child.kill('SIGKILL');
    await started.ended;
    const port = new URL(started.url ?? '').port;
    const again = await run(t, dir, ['start-dev'], { SOFTHSM2_CONF: join(dir, 'gone.conf') }, port);
    t.is((await ask('shop')).status, 503);
    const certs = await fetchAnswer(`${again.url}/realms/shop/protocol/openid-connect/certs`);
    t.true(certs.text.includes(String(decodeProtectedHeader(String(before.access_token)).kid)));
    const body = new URLSearchParams({ ...own, token: String(before.access_token) });
    const asked = `${again.url}/realms/shop/protocol/openid-connect/token/introspect`;
    t.true((await fetchAnswer(asked, { method: 'POST', body })).json.active);
  },
);
