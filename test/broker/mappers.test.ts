import type { JsonObject } from '@keyhost/spi';
import test, { type ExecutionContext } from 'ava';
import { brokeredIdentity } from '../../core/broker/brokered-identity.js';
import { applyMappers } from '../../core/broker/mappers.js';
import { IdentityProvider } from '../../core/model/identity-provider.js';
import { Realm } from '../../core/model/realm.js';
import type { UserRepresentation } from '../../core/model/representation.js';
import { startWithPartner, TwoRealmBrowser } from '../helpers/external-idp.js';
import { codeOf } from '../helpers/read-page.js';

const representation = {
  realm: 'demo',
  roles: { realm: [{ name: 'gold' }], client: { 'my.app': [{ name: 'writer' }] } },
  groups: [{ name: 'team', subGroups: [{ name: 'dev' }] }],
};
const REALM = new Realm({ id: 'r', name: 'demo', version: 1, representation }, 'http://127.0.0.1');

function provider(
  mappers: readonly [kind: string, config: Record<string, string>][],
  config: Record<string, string> = {},
) {
  return new IdentityProvider(
    { alias: 'p', providerId: 'oidc', trustEmail: true, config: { clientId: 'c', ...config } },
    mappers.map(([identityProviderMapper, settings], index) => ({
      name: `m${index}`,
      identityProviderAlias: 'p',
      identityProviderMapper,
      config: settings,
    })),
  );
}

/** Asserts the user's data after the first login and after a later one with other claims. */
function become(
  t: ExecutionContext,
  mapper: [kind: string, config: Record<string, string>],
  claims: readonly [first: JsonObject, later: JsonObject],
  expected: Readonly<Record<'IMPORT' | 'FORCE' | 'LEGACY', readonly [first: object, later: object]>>,
): void {
  for (const [syncMode, [first, later]] of Object.entries(expected)) {
    const own = provider([[mapper[0], { ...mapper[1], syncMode: 'INHERIT' }]], { syncMode });
    const draft: UserRepresentation = { username: 'u' };
    applyMappers(REALM, own, claims[0], draft, 'import');
    t.like(draft, first, `${mapper[0]} ${syncMode}: first`);
    applyMappers(REALM, own, claims[1], draft, 'update');
    t.like(draft, later, `${mapper[0]} ${syncMode}: later`);
  }
}

test('identity provider mappers: attributes follow the claims as the sync mode says', (t) => {
  const a = { attributes: { city: ['Ulm'] } };
  const b = { attributes: { city: ['Bonn', '7'] } };
  const from = { attributes: { from: ['partner'] } };
  become(
    t,
    ['oidc-user-attribute-idp-mapper', { claim: 'address.city', 'user.attribute': 'city' }],
    [{ address: { city: 'Ulm' } }, { address: { city: ['Bonn', 7, {}] } }],
    { IMPORT: [a, a], FORCE: [a, b], LEGACY: [a, b] },
  );
  become(
    t,
    ['oidc-user-attribute-idp-mapper', { claim: 'a\\.b', 'user.attribute': 'lastName' }],
    [{ 'a.b': 'One' }, { 'a.b': 'Two' }],
    {
      IMPORT: [{ lastName: 'One' }, { lastName: 'One' }],
      FORCE: [{ lastName: 'One' }, { lastName: 'Two' }],
      LEGACY: [{ lastName: 'One' }, { lastName: 'Two' }],
    },
  );
  become(t, ['hardcoded-attribute-idp-mapper', { attribute: 'from', 'attribute.value': 'partner' }], [{}, {}], {
    IMPORT: [from, from],
    FORCE: [from, from],
    LEGACY: [from, from],
  });
});

test('identity provider mappers: roles and groups are added by the claims, and removed if the mode says so', (t) => {
  const none = { realmRoles: [] };
  const gold = { realmRoles: ['gold'] };
  const claims = [{ tiers: ['gold', 'x'] }, { tiers: [] }] as const;
  become(t, ['oidc-role-idp-mapper', { claim: 'tiers', 'claim.value': 'gold', role: 'gold' }], claims, {
    IMPORT: [gold, gold],
    FORCE: [gold, none],
    LEGACY: [gold, none],
  });
  const writer = { clientRoles: { 'my.app': ['writer'] } };
  become(t, ['oidc-hardcoded-role-idp-mapper', { role: 'my.app.writer' }], claims, {
    IMPORT: [writer, writer],
    FORCE: [writer, writer],
    LEGACY: [writer, writer],
  });
  const advanced = { claims: '[{"key":"tiers","value":"g.*"}]', 'are.claim.values.regex': 'true' };
  become(t, ['oidc-advanced-role-idp-mapper', { ...advanced, role: 'gold' }], claims, {
    IMPORT: [gold, gold],
    FORCE: [gold, none],
    LEGACY: [gold, none],
  });
  const dev = { groups: ['/team/dev'] };
  become(t, ['oidc-advanced-group-idp-mapper', { ...advanced, group: '/team/dev' }], claims, {
    IMPORT: [dev, dev],
    FORCE: [dev, { groups: [] }],
    LEGACY: [dev, { groups: [] }],
  });
});

test('identity provider mappers: an inapplicable mapper changes nothing', (t) => {
  const before = { username: 'u', email: 'u@x.test', emailVerified: true };
  const draft: UserRepresentation = structuredClone(before);
  const own = provider([
    ['oidc-hardcoded-role-idp-mapper', { role: 'nothing' }],
    ['oidc-advanced-role-idp-mapper', { claims: 'nonsense', role: 'gold' }],
    ['oidc-advanced-role-idp-mapper', { claims: '[]', role: 'gold' }],
    [
      'oidc-advanced-role-idp-mapper',
      { claims: '[{"key":"a","value":"("}]', 'are.claim.values.regex': 'true', role: 'gold' },
    ],
    ['oidc-advanced-group-idp-mapper', { claims: '[{"key":"a","value":"b"}]', group: '/nowhere' }],
    ['oidc-user-attribute-idp-mapper', { claim: 'a', 'user.attribute': 'username' }],
    ['oidc-user-attribute-idp-mapper', { claim: 'nothing', 'user.attribute': 'email' }],
    ['saml-user-attribute-idp-mapper', { claim: 'a', 'user.attribute': 'a' }],
  ]);
  applyMappers(REALM, own, { a: 'b' }, draft, 'import');
  t.deepEqual(draft, before);
  const moved = provider([['oidc-user-attribute-idp-mapper', { claim: 'a', 'user.attribute': 'email' }]]);
  applyMappers(REALM, moved, { a: 'other@x.test' }, draft, 'import');
  t.like(draft, { email: 'other@x.test', emailVerified: false }, 'nobody has verified that one');
});

test('identity provider mappers: a username comes from a template, a claim, the address or the ID', (t) => {
  const nameOf = (template: string | undefined, claims: JsonObject) => {
    const mappers =
      template === undefined ? [] : [['oidc-username-idp-mapper', { template }] as [string, Record<string, string>]];
    return brokeredIdentity(REALM, provider(mappers), { sub: 'S1', ...claims }).username;
  };
  const claims = { preferred_username: 'Paula', email: 'p.p@x.test' };
  t.is(nameOf(undefined, claims), 'paula');
  t.is(nameOf(undefined, { email: 'p.p@x.test' }), 'p.p@x.test');
  t.is(nameOf(undefined, {}), 's1');
  t.is(nameOf('${ALIAS}.${CLAIM.email | localpart}', claims), 'p.p.p');
  t.is(nameOf('${CLAIM.preferred_username | uppercase}-${CLAIM.sub}', claims), 'paula-s1');
  t.regex(nameOf('${UUID}', claims), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.is(nameOf('${CLAIM.nothing}', claims), 'paula', 'an empty one is none');
  t.is(nameOf(undefined, { preferred_username: 'a<b>', email: 'x' }), 's1', 'what cannot be a name is passed over');
  t.like(brokeredIdentity(REALM, provider([]), { sub: '1', email: 'a@b.test', email_verified: false }), {
    email: 'a@b.test',
    emailVerified: false,
  });
  t.true(brokeredIdentity(REALM, provider([]), { sub: '1', email: 'a@b.test' }).emailVerified, 'the realm trusts it');
});

test('identity provider mappers: with FORCE, changes at the provider, including roles of its access tokens, apply here', async (t) => {
  const { host, admin, user } = await startWithPartner(t, {
    provider: { providerId: 'keycloak-oidc', trustEmail: true },
    config: { syncMode: 'FORCE' },
    mappers: [
      {
        name: 'tier',
        identityProviderMapper: 'oidc-role-idp-mapper',
        config: { claim: 'realm_access.roles', 'claim.value': 'gold', role: 'reader' },
      },
    ],
  });
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)));
  const first = await user('paula');
  t.like(first?.view, { email: 'paula@partner.test', emailVerified: true, lastName: 'Partner' });
  t.true(first?.representation.realmRoles?.includes('reader'));
  admin.setConfig({ realmName: 'partner' });
  await admin.users.update({ id: 'paula-at-partner' }, { lastName: 'Changed', email: 'alice@example.test-2' });
  const gold = await admin.roles.findOneByName({ name: 'gold' });
  await admin.users.delRealmRoleMappings({
    id: 'paula-at-partner',
    roles: [{ id: gold?.id ?? '', name: 'gold' }],
  });
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)));
  const later = await user('paula');
  t.like(later?.view, { id: first?.id, lastName: 'Changed', email: 'alice@example.test-2' });
  t.false(later?.representation.realmRoles?.includes('reader'));
  await admin.users.update({ id: 'alice-at-partner' }, { email: 'free@partner.test' });
  await admin.users.update({ id: 'paula-at-partner' }, { lastName: 'Again', email: 'alice@example.test' });
  t.truthy(codeOf(await new TwoRealmBrowser().signInByPartner(host)), 'an address that is taken here keeps nobody out');
  t.like((await user('paula'))?.view, { lastName: 'Again', email: 'alice@example.test-2' });
});
