import test from 'ava';
import { createLocalJWKSet, createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { replacing } from '../../core/di/module.js';
import { KeyRing } from '../../core/keys/key-ring.js';
import { Store } from '../../core/store/module.js';
import { openMemoryStore } from '../../core/store/sqlite/open-store.js';
import { HeldKeys } from '../helpers/held-keys.js';
import { type Answer, startHost, type TestHost } from '../helpers/host.js';
import { testRealm } from '../helpers/realms.js';

const AT_ONCE = 48;
const CC = { grant_type: 'client_credentials', client_id: 'svc', client_secret: 'svc-secret' };
const LOGIN = {
  grant_type: 'password',
  client_id: 'web',
  client_secret: 's3cret:+/%&é',
  username: 'alice',
  password: 'Alice-pass-1!',
  scope: 'openid',
};

const ask = (host: TestHost, form: Record<string, string>, count = AT_ONCE): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, () => host.token('demo', form)));

const keysOf = (host: TestHost) => createRemoteJWKSet(new URL(`${host.oidc('demo')}/certs`));

/** The ids and kids of tokens that the key set verifies. */
async function verified(tokens: readonly string[], keys: JWTVerifyGetKey, issuer: string) {
  const all = await Promise.all(tokens.map((token) => jwtVerify(token, keys, { issuer })));
  return {
    ids: new Set(all.map(({ payload }) => payload.jti)),
    kids: new Set(all.map(({ protectedHeader }) => protectedHeader.kid)),
  };
}

for (const defaultSignatureAlgorithm of ['RS256', 'PS256']) {
  test(`signing under load: ${defaultSignatureAlgorithm} tokens asked for at once are all of their own and all verify`, async (t) => {
    const host = await startHost(t, { realms: [testRealm('demo', { defaultSignatureAlgorithm })] });
    const answers = (await Promise.all([ask(host, CC), ask(host, LOGIN, 8)])).flat();
    for (const { status, text } of answers) t.is(status, 200, text);
    const tokens = answers.flatMap(({ json }) => [json.access_token ?? '', ...(json.id_token ? [json.id_token] : [])]);
    t.is(tokens.length, AT_ONCE + 8 * 2);
    const { ids, kids } = await verified(tokens, keysOf(host), host.realm('demo'));
    t.is(ids.size, tokens.length);
    t.is(kids.size, 1);
  });
}

test('signing under load: keys that are rotated meanwhile: every token verifies, and those asked for later have the new key', async (t) => {
  const host = await startHost(t, { realms: [testRealm('demo')] });
  await ask(host, CC, 1);
  const before = ask(host, CC);
  const rotated = host.keys.rotate('demo', 'RS256');
  const beside = ask(host, CC);
  const kid = await rotated;
  const answers = [...(await before), ...(await beside)];
  const after = await ask(host, CC, 4);
  for (const { status, text } of [...answers, ...after]) t.is(status, 200, text);
  const tokens = (of: readonly Answer[]) => of.map(({ json }) => json.access_token ?? '');
  const keys = keysOf(host);
  t.is((await verified(tokens(answers), keys, host.realm('demo'))).ids.size, answers.length);
  t.deepEqual([...(await verified(tokens(after), keys, host.realm('demo'))).kids], [kid]);
});

test('signing under load: a host that closes signs pending tokens, and responds', async (t) => {
  const store = await openMemoryStore();
  const held = new HeldKeys({ store: store.keys, clock: { now: () => Date.now() } });
  const realms = [testRealm('demo')];
  const host = await startHost(t, { realms, replace: [replacing(Store, store), replacing(KeyRing, held)] });
  const published = (await (await held.realm('demo')).jwks(['RS256'])).toString();
  const wanted = held.hold(AT_ONCE);
  const asked = ask(host, CC);
  await wanted;
  const closed = host.close();
  held.letGo();
  const answers = await asked;
  await closed;
  for (const { status, text } of answers) t.is(status, 200, text);
  const tokens = answers.map(({ json }) => json.access_token ?? '');
  t.is((await verified(tokens, createLocalJWKSet(JSON.parse(published)), host.realm('demo'))).ids.size, AT_ONCE);
});
