import test, { type ExecutionContext } from 'ava';
import type { IdentityProviderMapperRepresentation, RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from '../helpers/code-realm.js';
import { type FakeProvider, startFakeProvider } from '../helpers/fake-provider.js';
import { Browser, codeRequest } from '../helpers/form-browser.js';
import { startHost, type TestHost } from '../helpers/host.js';
import { codeOf } from '../helpers/read-page.js';

/*
 * The results of Keycloak 26.7.3, with one realm as the identity provider of another: each mapper with each sync mode,
 * and claims of each JSON type.
 */

const MODES = ['IMPORT', 'FORCE', 'LEGACY'] as const;
type Mode = (typeof MODES)[number];
const CLAIMS = {
  text: 'one',
  padded: ' pad ',
  number: 7,
  float: 1.5,
  // More than a number holds exactly; Keycloak was asked with 12345678901234567890.
  big: 12345678901234567e3,
  yes: true,
  no: false,
  list: ['a', 'b'],
  blanks: ['', ' x ', 'y'],
  mixed: ['a', 7, true, null, { x: 1 }, ['n']],
  none: [],
  object: { x: 'y' },
  nested: { city: 'Ulm', deep: { er: ['p', 'q'] } },
  'dot.ted': 'dotted',
};
const PROFILE = { email: 'Fay@Partner.test', email_verified: true, given_name: 'Fay', family_name: 'Fake' };

/** Claim, the attribute's values in Keycloak, and the different ones here, if any. */
const VALUES: readonly [claim: string, says: string[] | undefined, here?: string[] | 'none', why?: string][] = [
  ['text', ['one']],
  ['padded', [' pad ']],
  ['number', ['7']],
  ['float', ['1.5']],
  ['big', ['12345678901234567890'], ['12345678901234567000'], 'the provider of this test writes these digits'],
  ['yes', ['true']],
  ['no', ['false']],
  ['list', ['a', 'b']],
  ['list[0]', ['a']],
  ['list[7]', undefined],
  ['blanks', ['', ' x ', 'y']],
  ['mixed', ['a', '7', 'true', '{x=1}', '[n]'], ['a', '7', 'true'], 'what Java makes of its objects is no value'],
  ['none', undefined],
  ['object', ['{x=y}'], 'none', 'what Java makes of its objects is no value'],
  ['nested.city', ['Ulm']],
  ['nested.deep.er', ['p', 'q']],
  ['dot\\.ted', ['dotted']],
  ['dot.ted', undefined],
  ['missing', undefined],
  ['missing.x', undefined],
  ['text.x', ['one'], 'none', 'a text has no members'],
];

const ROLE = 'oidc-role-idp-mapper';
const ADVANCED = 'oidc-advanced-role-idp-mapper';
const GROUP = 'oidc-advanced-group-idp-mapper';
const wanted = (...claims: [key: string, value: string][]) => ({
  claims: JSON.stringify(claims.map(([key, value]) => ({ key, value }))),
  'are.claim.values.regex': 'false',
});
const patterns = (...claims: [key: string, value: string][]) => ({
  ...wanted(...claims),
  'are.claim.values.regex': 'true',
});
const is = (claim: string, value: string) => ({ claim, 'claim.value': value });
/**
 * A role or group for each mode. `y` if the user has it after three logins: the first, one that found it removed, and
 * one that found it assigned but got no claims.
 */
const MET = { IMPORT: 'y-y', FORCE: 'yy-', LEGACY: 'y--' };
const UNMET = { IMPORT: '--y', FORCE: '---', LEGACY: '---' };
const ALWAYS = { IMPORT: 'y-y', FORCE: 'yyy', LEGACY: 'y-y' };
const GROUP_MET = { ...MET, LEGACY: 'yy-' };
const GRANTS: readonly [
  mapper: string,
  config: Record<string, string>,
  says: Record<Mode, string>,
  here?: Record<Mode, string>,
  why?: string,
][] = [
  [ROLE, is('text', 'one'), MET],
  [ROLE, is('text', 'ONE'), UNMET],
  [ROLE, is('number', '7'), MET],
  [ROLE, is('float', '1.5'), MET],
  [ROLE, is('yes', 'true'), MET],
  [ROLE, is('no', 'false'), MET],
  [ROLE, is('list', 'b'), MET],
  [ROLE, is('mixed', '7'), MET],
  [ROLE, is('mixed', 'true'), MET],
  [ROLE, is('object', 'y'), UNMET],
  [ROLE, is('big', '12345678901234567890'), UNMET],
  [ROLE, is('nested.city', 'Ulm'), MET],
  [ROLE, is('nested.deep.er', 'p'), MET],
  [ROLE, is('dot\\.ted', 'dotted'), MET],
  [ROLE, is('missing', ''), UNMET],
  ['oidc-hardcoded-role-idp-mapper', {}, ALWAYS],
  [ADVANCED, wanted(['text', 'one'], ['list', 'a']), MET],
  [ADVANCED, wanted(['text', 'one'], ['list', 'z']), UNMET],
  [ADVANCED, wanted(['number', '7']), MET],
  [ADVANCED, wanted(['yes', 'true']), MET],
  [ADVANCED, wanted(['nested.city', 'Ulm']), MET],
  [ADVANCED, patterns(['text', 'o.*']), MET],
  [ADVANCED, patterns(['text', 'o']), UNMET],
  [ADVANCED, patterns(['list', 'b|z']), MET],
  [ADVANCED, patterns(['number', '[0-9]']), MET],
  [ADVANCED, patterns(['missing', '.*']), UNMET],
  [ADVANCED, wanted(), ALWAYS, UNMET, 'a mapper that asks for nothing gives nothing'],
  ['oidc-hardcoded-group-idp-mapper', {}, { ...ALWAYS, LEGACY: 'yyy' }],
  [GROUP, wanted(['text', 'one'], ['list', 'a']), GROUP_MET],
  [GROUP, wanted(['text', 'one'], ['list', 'z']), UNMET],
  [GROUP, patterns(['list', 'b|z']), GROUP_MET],
  [GROUP, patterns(['text', 'o']), UNMET],
  [GROUP, wanted(), { ...ALWAYS, LEGACY: 'yyy' }, UNMET, 'a mapper that asks for nothing gives nothing'],
];
const isGroup = (mapper: string) => mapper.includes('group');
const grantOf = (index: number, mode: Mode) => `${mode}-${index}`;

/**
 * Sync modes of provider and mapper, and whether a user who was renamed at the provider is renamed here. The name in
 * the link follows the provider's mode.
 */
const NAMES: readonly [provider: Mode, mapper: Mode | 'INHERIT' | undefined, renamed: boolean][] = [
  ...MODES.flatMap((mode) => [
    [mode, undefined, false] as const,
    [mode, 'IMPORT', false] as const,
    [mode, 'LEGACY', false] as const,
    [mode, 'FORCE', true] as const,
    [mode, 'INHERIT', mode === 'FORCE'] as const,
  ]),
].map(([provider, mapper, renamed]) => [provider, mapper, renamed]);

function provider(url: string, alias: string, syncMode: string) {
  const addresses = { authorizationUrl: `${url}/auth`, tokenUrl: `${url}/token`, jwksUrl: `${url}/jwks`, issuer: url };
  const config = { ...addresses, clientId: 'keyhost', clientSecret: 's', useJwksUrl: 'true', syncMode };
  return { alias, providerId: 'oidc', enabled: true, trustEmail: true, config };
}

function mapperOf(
  alias: string,
  kind: string,
  config: Record<string, string>,
  name = `${kind} ${JSON.stringify(config)}`,
): IdentityProviderMapperRepresentation {
  return { name, identityProviderAlias: alias, identityProviderMapper: kind, config };
}

async function hostWith(t: ExecutionContext, realm: Partial<RealmRepresentation>, fake: FakeProvider) {
  const host = await startHost(t, { realms: [codeRealm('demo', realm)] });
  const signIn = async (alias: string, claims: object) => {
    fake.behaves = { claims: { ...PROFILE, ...claims } };
    const browser = new Browser();
    const { location } = await browser.open(codeRequest(host, { kc_idp_hint: alias }).url);
    // The hint leads by the address that begins the login there.
    const away = location?.pathname.endsWith('/auth') ? location : (await browser.open(location?.href ?? '')).location;
    let page = await browser.open(fake.back(away as URL));
    for (let hops = 0; hops < 4 && page.location !== undefined && codeOf(page) === undefined; hops += 1) {
      page = await browser.open(page.location.href);
    }
    if (codeOf(page) === undefined) t.fail(`${alias}: ${page.status} ${page.text.slice(0, 2000)}`);
  };
  return { host, signIn };
}

async function userBy(host: TestHost, alias: string, id: string) {
  const realm = await host.realms.get('demo');
  const user = realm && (await host.users.byFederatedIdentity(realm, alias, id));
  if (realm === undefined || user === undefined) throw new Error(`no user of ${alias}`);
  return { realm, ...user.representation, id: user.id };
}

test('identity provider mappers: values are added and removed at each login as the sync mode says', async (t) => {
  const fake = await startFakeProvider(t);
  const attributes = [...VALUES.map(([claim]) => claim), 'hard'];
  const mappers = MODES.flatMap((syncMode) => [
    ...VALUES.map(([claim]) =>
      mapperOf('idp', 'oidc-user-attribute-idp-mapper', { claim, 'user.attribute': `${syncMode} ${claim}`, syncMode }),
    ),
    mapperOf('idp', 'hardcoded-attribute-idp-mapper', {
      attribute: `${syncMode} hard`,
      'attribute.value': 'v',
      syncMode,
    }),
    ...GRANTS.map(([kind, config], index) => {
      const grant = grantOf(index, syncMode);
      const to = isGroup(kind) ? ['group', `/${grant}`] : ['role', grant];
      return mapperOf('idp', kind, { ...config, [to[0] ?? '']: to[1] ?? '', syncMode }, grant);
    }),
  ]);
  const grants = (ofGroups: boolean) =>
    MODES.flatMap((mode) =>
      GRANTS.flatMap(([kind], index) => (isGroup(kind) === ofGroups ? [grantOf(index, mode)] : [])),
    );
  const realm = {
    identityProviders: [provider(fake.url, 'idp', 'IMPORT')],
    identityProviderMappers: mappers,
    roles: { realm: grants(false).map((name) => ({ name })) },
    groups: grants(true).map((name) => ({ name })),
    users: [],
  };
  const { host, signIn } = await hostWith(t, realm, fake);
  const seen: Awaited<ReturnType<typeof userBy>>[] = [];
  const login = async (claims: object) => {
    await signIn('idp', { sub: 'fay', preferred_username: 'fay', ...claims });
    seen.push(await userBy(host, 'idp', 'fay'));
  };
  const change = async (attributes: Record<string, string[]> | undefined, has: boolean) => {
    const { realm, id } = await userBy(host, 'idp', 'fay');
    await host.users.change(realm, id, (draft) => {
      draft.realmRoles = has ? grants(false) : [];
      draft.groups = has ? grants(true).map((name) => `/${name}`) : [];
      if (attributes !== undefined) draft.attributes = attributes;
    });
  };
  await login(CLAIMS);
  const local = MODES.flatMap((mode) => attributes.map((name) => [`${mode} ${name}`, ['local']] as [string, string[]]));
  await change(Object.fromEntries(local), false);
  await login(CLAIMS);
  await change(undefined, true);
  await login({});
  t.is(seen[0]?.email, 'fay@partner.test');
  for (const mode of MODES) {
    for (const [claim, says, here, why] of [...VALUES, ['hard', ['v']] as const]) {
      const values = here === 'none' ? undefined : (here ?? says);
      const later = mode === 'IMPORT' ? ['local'] : values;
      const last = mode === 'IMPORT' ? ['local'] : claim === 'hard' ? ['v'] : undefined;
      t.deepEqual(
        seen.map((user) => user.attributes?.[`${mode} ${claim}`]),
        [values, later, last],
        `${mode} ${claim} ${why ?? ''}`,
      );
    }
    for (const [index, [kind, config, says, here, why]] of GRANTS.entries()) {
      const name = grantOf(index, mode);
      const has = (user: (typeof seen)[number]) =>
        (isGroup(kind) ? user.groups?.includes(`/${name}`) : user.realmRoles?.includes(name)) ? 'y' : '-';
      const what = `${mode} ${kind} ${JSON.stringify(config)} ${why ?? ''}`;
      t.is(seen.map(has).join(''), (here ?? says)[mode], what);
    }
  }
});

test('identity provider mappers: a username follows the provider if its mapper forces it, and never takes another user’s', async (t) => {
  const fake = await startFakeProvider(t);
  const aliasOf = (index: number) => `idp${index}`;
  const realm = {
    identityProviders: NAMES.map(([mode], index) => provider(fake.url, aliasOf(index), mode)),
    identityProviderMappers: NAMES.flatMap(([, syncMode], index) =>
      syncMode === undefined
        ? []
        : [
            mapperOf(
              aliasOf(index),
              'oidc-username-idp-mapper',
              { template: 'x-${CLAIM.preferred_username}', syncMode },
              aliasOf(index),
            ),
          ],
    ),
  };
  const { host, signIn } = await hostWith(t, realm, fake);
  const nameOf = async (alias: string) => {
    const { username, federatedIdentities } = await userBy(host, alias, 'fay');
    return [username, federatedIdentities?.[0]?.userName];
  };
  for (const [index, [mode, mapper, renamed]] of NAMES.entries()) {
    const alias = aliasOf(index);
    const before = `fay${index}`;
    const after = `new${index}`;
    const as = (preferred_username: string) =>
      signIn(alias, { sub: 'fay', preferred_username, email: `${before}@partner.test` });
    await as(before);
    const prefix = mapper === undefined ? '' : 'x-';
    t.deepEqual(await nameOf(alias), [`${prefix}${before}`, before]);
    await as(after);
    const expected = [`${prefix}${renamed ? after : before}`, mode === 'FORCE' ? after : before];
    t.deepEqual(await nameOf(alias), expected, `provider ${mode}, mapper ${mapper}`);
  }
  const [index] = NAMES.flatMap(([mode, mapper], at) => (mode === 'FORCE' && mapper === 'FORCE' ? [at] : []));
  const [other] = NAMES.flatMap(([mode, mapper], at) => (mode === 'IMPORT' && mapper === 'FORCE' ? [at] : []));
  const email = `fay${index}@partner.test`;
  await signIn(aliasOf(index ?? 0), { sub: 'fay', preferred_username: `new${other}`, email, given_name: 'Renamed' });
  const user = await userBy(host, aliasOf(index ?? 0), 'fay');
  t.like(user, { username: `x-new${index}`, firstName: 'Renamed' }, 'the rest is taken over all the same');
});
