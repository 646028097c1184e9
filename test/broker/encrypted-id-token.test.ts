import test, { type ExecutionContext } from 'ava';
import * as jose from 'jose';
import type { RealmRepresentation } from '../../core/model/representation.js';
import { type PartnerScene, socialLink, startWithPartner } from '../helpers/external-idp.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { codeOf } from '../helpers/read-page.js';

/** Lets the provider answer a login with the ID token that `make` makes of the right one. */
async function signIn({ host }: PartnerScene, provider: FakeProvider, make: (idToken: string) => Promise<string>) {
  const browser = new Browser();
  const { location } = await browser.open(socialLink(await browser.open(codeRequest(host).url)));
  const back = provider.back(location as URL);
  const now = Math.floor(Date.now() / 1000);
  const idToken = await provider.signed({
    iss: provider.url,
    aud: 'keyhost',
    sub: 'u1',
    iat: now,
    exp: now + 60,
    nonce: location?.searchParams.get('nonce'),
    preferred_username: 'fay',
    email: 'fay@fake.test',
    given_name: 'Fay',
    family_name: 'Fake',
  });
  provider.behaves = { idToken: await make(idToken) };
  return browser.open(back);
}

async function scene(t: ExecutionContext, demo: Partial<RealmRepresentation> = {}) {
  const provider = await startFakeProvider(t);
  const { url } = provider;
  const started = await startWithPartner(t, {
    demo,
    config: {
      authorizationUrl: `${url}/auth`,
      tokenUrl: `${url}/token`,
      userInfoUrl: `${url}/userinfo`,
      issuer: url,
      jwksUrl: `${url}/jwks`,
      clientSecret: 'secret',
    },
  });
  const encryptionKey = async (realm: string) => {
    const { keys } = (await fetchAnswer(`${started.host.oidc(realm)}/certs`)).json as unknown as { keys: jose.JWK[] };
    return keys.find(({ use }) => use === 'enc') as jose.JWK & { kid: string };
  };
  const sealed =
    (jwk: jose.JWK, header: { alg: string; kid?: string }) =>
    async (idToken: string): Promise<string> =>
      new jose.CompactEncrypt(new TextEncoder().encode(idToken))
        .setProtectedHeader({ enc: 'A256GCM', cty: 'JWT', ...header })
        .encrypt(await jose.importJWK(jwk, header.alg));
  return { ...started, provider, encryptionKey, sealed };
}

test('identity provider, encrypted ID token: one that is encrypted for the realm signs in', async (t) => {
  const stage = await scene(t);
  const jwk = await stage.encryptionKey('demo');
  t.is(jwk.alg, 'RSA-OAEP');
  const visit = await signIn(stage, stage.provider, stage.sealed(jwk, { alg: 'RSA-OAEP', kid: jwk.kid }));
  t.truthy(codeOf(visit), visit.text);
  t.truthy(await stage.user('fay'));
  // Without a kid it is for the key that is active.
  t.truthy(codeOf(await signIn(stage, stage.provider, stage.sealed(jwk, { alg: 'RSA-OAEP' }))));
});

for (const [curve, alg] of [
  [undefined, undefined],
  ['P-384', 'ECDH-ES+A128KW'],
  ['P-521', 'ECDH-ES+A256KW'],
] as const) {
  const key = [curve ?? 'P-256', alg ?? 'ECDH-ES'] as const;
  test(`identity provider, encrypted ID token: one that is encrypted for a key on an elliptic curve signs in: ${key.join(', ')}`, async (t) => {
    const config = {
      ...(curve === undefined ? {} : { ecdhEllipticCurveKey: [curve] }),
      ...(alg === undefined ? {} : { ecdhAlgorithm: [alg] }),
    };
    const ecdh = { name: 'ecdh', providerId: 'ecdh-generated', config };
    const stage = await scene(t, { components: { 'org.keycloak.keys.KeyProvider': [ecdh] } });
    const jwk = await stage.encryptionKey('demo');
    t.deepEqual([jwk.kty, jwk.crv, jwk.alg, jwk.use, jwk.d], ['EC', ...key, 'enc', undefined]);
    const header = { alg: key[1], kid: jwk.kid };
    t.truthy(codeOf(await signIn(stage, stage.provider, stage.sealed(jwk, header))));
    const other = {
      ...jwk,
      ...(await jose.exportJWK((await jose.generateKeyPair(key[1], { crv: key[0] })).publicKey)),
    };
    t.is((await signIn(stage, stage.provider, stage.sealed(other, header))).status, 502);
  });
}

test('identity provider, encrypted ID token: one for another recipient, of another algorithm than its key, or without a signature signs nobody in', async (t) => {
  const stage = await scene(t);
  const jwk = await stage.encryptionKey('demo');
  const other = await stage.encryptionKey('partner');
  const right = stage.sealed(jwk, { alg: 'RSA-OAEP', kid: jwk.kid });
  const wrong: [string, (idToken: string) => Promise<string>][] = [
    ['for another realm', stage.sealed(other, { alg: 'RSA-OAEP', kid: other.kid })],
    ['for another realm under this kid', stage.sealed(other, { alg: 'RSA-OAEP', kid: jwk.kid })],
    ['by another algorithm', stage.sealed({ ...jwk, alg: 'RSA-OAEP-256' }, { alg: 'RSA-OAEP-256', kid: jwk.kid })],
    ['changed on its way', async (token) => `${(await right(token)).slice(0, -4)}AAAA`],
    ['unsigned', (token) => right(`${token.split('.').slice(0, 2).join('.')}.`)],
    ['with a signature cut off', (token) => right(token.slice(0, -8))],
    ['twice', async (token) => right(await right(token))],
    ['nonsense', async () => 'a.b.c.d.e'],
  ];
  for (const [what, make] of wrong) {
    const visit = await signIn(stage, stage.provider, make);
    t.is(visit.status, 502, what);
    t.is(await stage.user('fay'), undefined, what);
  }
  t.false(stage.host.log.some(({ level }) => level === 'error'));
});
