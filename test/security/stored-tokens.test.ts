import test from 'ava';
import { adminCaller } from '../helpers/admin.js';
import { socialLink, startWithPartner } from '../helpers/external-idp.js';
import { startFakeProvider } from '../helpers/fake-provider.js';
import { Browser, CALLBACK, codeRequest } from '../helpers/form-browser.js';
import { fetchAnswer } from '../helpers/host.js';
import { WEB } from '../helpers/login.js';
import { codeOf } from '../helpers/read-page.js';

test('T412 · stored tokens of a provider: they are encrypted in the store, and only their application can read them', async (t) => {
  const provider = await startFakeProvider(t);
  const { url } = provider;
  const { host, user } = await startWithPartner(t, {
    provider: { storeToken: true, addReadTokenRoleOnCreate: true },
    config: {
      authorizationUrl: `${url}/auth`,
      tokenUrl: `${url}/token`,
      userInfoUrl: `${url}/userinfo`,
      issuer: url,
      jwksUrl: `${url}/jwks`,
      clientSecret: 'secret',
    },
    demo: { adminEventsEnabled: true, adminEventsDetailsEnabled: true },
  });
  const browser = new Browser();
  const { url: login, verifier } = codeRequest(host);
  const { location } = await browser.open(socialLink(await browser.open(login)));
  const code = codeOf(await browser.open(provider.back(location as URL))) ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
  const token = String((await host.token('demo', { ...WEB, ...grant })).json.access_token);
  const read = () =>
    fetchAnswer(`${host.realm('demo')}/broker/partner/token`, { headers: { authorization: `Bearer ${token}` } });
  t.is((await read()).status, 200);

  const stored = await user('fay');
  const sealed = String(stored?.representation.federatedIdentities?.[0]?.token);
  t.is(sealed.split('.').length, 5);
  t.false(JSON.stringify(stored?.representation).includes('the-secret-access-token'));
  const call = await adminCaller(host);
  const path = `/realms/demo/users/${stored?.id}`;
  for (const one of [path, `${path}/federated-identity`, '/realms/demo/users?search=fay&briefRepresentation=false']) {
    const { text, status } = await call('GET', one);
    t.is(status, 200);
    for (const secret of [sealed, 'the-secret-access-token']) t.false(text.includes(secret), one);
  }
  const told = JSON.stringify([host.log, await host.stored('demo')]);
  for (const secret of [sealed, 'the-secret-access-token']) t.false(told.includes(secret));

  // Only the realm's own key decrypts it: after the key was replaced, nothing is returned.
  const listed = JSON.parse((await call('GET', '/realms/demo/components?type=org.keycloak.keys.KeyProvider')).text);
  const aes = (listed as { id: string; name: string }[]).find(({ name }) => name === 'aes-generated');
  t.is((await call('PUT', `/realms/demo/components/${aes?.id}`, { config: { secretSize: ['16'] } })).status, 204);
  t.is((await read()).status, 404);
});
