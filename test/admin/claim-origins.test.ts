import test from 'ava';
import { DEFAULT_CLIENT_SCOPES } from '../../core/model/built-in-names.js';
import { adminCaller, administered, administrator, clientUuid } from '../helpers/admin.js';
import { ALICE, testRealm } from '../helpers/realms.js';
import { shareHost } from '../helpers/shared-host.js';

const hardcoded = (name: string, claim: string, value: string) => ({
  name,
  protocol: 'openid-connect',
  protocolMapper: 'oidc-hardcoded-claim-mapper',
  config: { 'claim.name': claim, 'claim.value': value, 'access.token.claim': 'true' },
});
const demo = testRealm('demo');
demo.clients?.push({
  clientId: 'coloured',
  publicClient: true,
  directAccessGrantsEnabled: true,
  defaultClientScopes: [...DEFAULT_CLIENT_SCOPES],
  optionalClientScopes: ['phone'],
  protocolMappers: [hardcoded('paint', 'colour', 'red'), hardcoded('forger', 'exp', '1')],
});
demo.users?.push(administrator('clientele', 'view-clients'));
const host = shareHost(test, administered({ realms: [demo] }));

interface Claim {
  readonly claim: string;
  readonly value: unknown;
  readonly origins: readonly { mapperName: string; containerName: string; containerType: string; mapperId: string }[];
}
interface Answer {
  readonly access: readonly Claim[];
  readonly id: readonly Claim[];
  readonly userinfo: readonly Claim[];
  readonly scope: string;
  readonly scopes: readonly string[];
  readonly refused: boolean;
}

async function evaluated(query: string, who: Parameters<typeof adminCaller>[1] = {}) {
  const call = await adminCaller(host(), who);
  const uuid = await clientUuid(host(), 'coloured', 'demo');
  const { status, text } = await call('GET', `/realms/demo/clients/${uuid}/evaluate-scopes/claims?${query}`);
  return { status, text, json: JSON.parse(text) as Answer };
}

const named = (claims: readonly Claim[], claim: string) => claims.find((one) => one.claim === claim);
const origins = (claims: readonly Claim[], claim: string) =>
  named(claims, claim)?.origins.map(({ mapperName, containerName }) => `${containerName}/${mapperName}`);

test('claim origins: each claim of a token names its mapper and scope, and claims of the protocol name none', async (t) => {
  const { json } = await evaluated(`userId=${ALICE}&scope=openid+phone`);
  t.is(named(json.access, 'email')?.value, 'alice@example.test');
  t.deepEqual(origins(json.access, 'email'), ['email/email']);
  t.deepEqual(origins(json.access, 'phone_number'), ['phone/phone number']);
  t.deepEqual(origins(json.access, 'realm_access'), ['roles/realm roles']);
  t.deepEqual(origins(json.access, 'colour'), ['/paint']);
  t.like(named(json.access, 'colour')?.origins[0], { containerType: 'client' });
  t.truthy(named(json.access, 'email')?.origins[0]?.mapperId);
  t.deepEqual(origins(json.access, 'iss'), []);
  t.deepEqual(origins(json.id, 'aud'), []);
  t.deepEqual(origins(json.userinfo, 'email'), ['email/email']);
  t.true(json.scopes.includes('phone'));
  t.false(json.refused);
});

test('claim origins: a mapper that may not set a claim of the protocol is not among its origins', async (t) => {
  const { json } = await evaluated(`userId=${ALICE}`);
  t.deepEqual(origins(json.access, 'exp'), []);
  t.not(named(json.access, 'exp')?.value, 1);
  t.deepEqual([json.id, json.userinfo], [[], []], 'without the scope openid there is neither');
});

test('claim origins: the listed claims are in the token that is issued', async (t) => {
  const { json } = await evaluated(`userId=${ALICE}&scope=openid`);
  const form = { grant_type: 'password', client_id: 'coloured', username: 'alice', password: 'Alice-pass-1!' };
  const token = await host().token('demo', { ...form, scope: 'openid' });
  const issued = JSON.parse(atob(String(token.json.access_token).split('.')[1] ?? '')) as Record<string, unknown>;
  const mapped = json.access.filter((one) => one.origins.length > 0 && one.claim !== 'aud');
  t.true(mapped.length > 5);
  for (const { claim, value } of mapped) t.deepEqual(issued[claim], value, claim);
});

test('claim origins: a scope that the client may not have is named; a caller who may not see the user is refused', async (t) => {
  t.true((await evaluated(`userId=${ALICE}&scope=openid+elsewhere`)).json.refused);
  t.is((await evaluated('userId=nobody')).status, 404);
  t.is((await evaluated('scope=openid')).status, 404);
  const clientele = { realm: 'demo', username: 'clientele', password: 'clientele' };
  t.is((await evaluated(`userId=${ALICE}`, clientele)).status, 403);
});
