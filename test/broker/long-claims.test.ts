import test from 'ava';
import { withExactIntegers } from '../../core/broker/provider-claims.js';
import { startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { codeOf } from '../helpers/read-page.js';

const LONG = '9007199254740993';
const HUGE = '123456789012345678901234567890';

function attribute(claim: string, name: string) {
  return {
    name,
    identityProviderMapper: 'oidc-user-attribute-idp-mapper',
    config: { claim, 'user.attribute': name },
  };
}

function hardcoded(name: string, value: string, target: 'id.token' | 'userinfo.token') {
  const config = { 'claim.name': name, 'claim.value': value, 'jsonType.label': 'JSON', [`${target}.claim`]: 'true' };
  return { name, protocol: 'openid-connect', protocolMapper: 'oidc-hardcoded-claim-mapper', config };
}

test('identity provider, long integers: claims of an ID token and of userinfo become attributes with all digits', async (t) => {
  const { host, admin, user } = await startWithPartner(t, {
    mappers: [attribute('inToken', 'token'), attribute('there.list[1]', 'info'), attribute('text', 'text')],
  });
  admin.setConfig({ realmName: 'partner' });
  const [client] = await admin.clients.find({ clientId: 'keyhost' });
  for (const mapper of [
    hardcoded('inToken', LONG, 'id.token'),
    hardcoded('there', `{"list":[1,${HUGE}]}`, 'userinfo.token'),
    hardcoded('text', `"${HUGE}"`, 'userinfo.token'),
  ]) {
    await admin.clients.addProtocolMapper({ id: client?.id ?? '' }, mapper);
  }
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)));
  const { attributes } = (await user('paula'))?.representation ?? {};
  t.like(attributes, { token: [LONG], info: [HUGE], text: [HUGE] });
});

test('identity provider, long integers: a subject or an expiry that is a long integer is not read as text', (t) => {
  const text = '{"sub":12345678901234567890,"exp":98765432109876543210,"other":12345678901234567890}';
  const claims = JSON.parse(text);
  t.deepEqual(withExactIntegers(text, claims), { ...claims, other: '12345678901234567890' });
});
