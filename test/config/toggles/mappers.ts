import { type Claims, claim, claimsOfLogin, sorted, type Toggle, withClient, withMapper, withUser } from './toggle.js';

const ATTRIBUTE = 'oidc-usermodel-attribute-mapper';
const X = { 'claim.name': 'x' };
const attribute = (...all: readonly object[]) =>
  all.map((config) => withMapper(ATTRIBUTE, { 'user.attribute': 'age', ...X, ...config }));
const mapped = (mapper: string, ...all: readonly object[]) => all.map((config) => withMapper(mapper, config));
const types = (...names: readonly string[]) => names.map((name) => ({ 'jsonType.label': name }));
const own = (roles: readonly string[] | undefined) =>
  roles?.filter((role) => !/^(default|offline|uma)/.test(role)).sort();

type Access = { readonly roles: readonly string[] };

/** The roles in an access token that the realm declares itself. */
async function roles(realm: Parameters<Toggle['ask']>[0]) {
  const { access } = await claimsOfLogin(realm);
  const { realm_access: ofRealm, resource_access: ofClients = {} } = access as {
    realm_access?: Access;
    resource_access?: Record<string, Access>;
  };
  return [own(ofRealm?.roles), own(ofClients.app?.roles), own(ofClients.other?.roles)];
}

/** Protocol mappers: what claims of a password login contain. */
export const MAPPER_TOGGLES: readonly Toggle[] = [
  {
    setting: 'jsonType.label',
    realms: attribute(...types('String', 'int', 'long', 'boolean', 'JSON', '')),
    ask: claim('x'),
  },
  {
    setting: 'jsonType.label of a text that does not fit',
    realms: attribute(...types('int', 'long', 'boolean', 'JSON').map((one) => ({ ...one, 'user.attribute': 'text' }))),
    ask: claim('x'),
  },
  {
    setting: 'jsonType.label of JSON and of a boolean',
    realms: attribute(
      ...types('String', 'JSON').map((one) => ({ ...one, 'user.attribute': 'json' })),
      ...types('String', 'boolean').map((one) => ({ ...one, 'user.attribute': 'flag' })),
    ),
    ask: claim('x'),
  },
  {
    setting: 'multivalued',
    realms: attribute(
      ...['true', 'false'].flatMap((multivalued) =>
        types('int', 'String').map((one) => ({ ...one, multivalued, 'user.attribute': 'list' })),
      ),
    ),
    ask: claim('x'),
  },
  {
    // Keycloak selects any one of several values.
    setting: 'aggregate.attrs',
    realms: attribute(
      { 'user.attribute': 'team', multivalued: 'true', 'aggregate.attrs': 'true' },
      { 'user.attribute': 'team', multivalued: 'true', 'aggregate.attrs': 'false' },
      { 'user.attribute': 'team', multivalued: 'false', 'aggregate.attrs': 'false' },
    ),
    ask: claim('x'),
  },
  {
    setting: 'claim.name',
    realms: attribute(...['a.b.c', 'a\\.b', 'a..b', 'x.', '.x'].map((name) => ({ 'claim.name': name }))),
    ask: async (realm) => {
      const { access } = (await claimsOfLogin(realm)) as { access: Claims };
      return ['a', 'a.b', 'x', 'x.', '.x', ''].map((name) => access[name]);
    },
  },
  {
    setting: 'access.token.claim id.token.claim userinfo.token.claim introspection.token.claim',
    realms: attribute(
      ...['access', 'id', 'userinfo', 'introspection'].map((of) => ({ [`${of}.token.claim`]: 'false' })),
      { 'introspection.token.claim': '' },
    ),
    ask: claim('x'),
  },
  {
    setting: 'lightweight.claim',
    realms: ['true', 'false'].map((lightweight) => {
      const [realm] = attribute({ 'lightweight.claim': lightweight });
      const [app, other] = realm?.clients ?? [];
      const attributes = { ...app?.attributes, 'client.use.lightweight.access.token.enabled': 'true' };
      return { clients: [{ ...app, attributes }, other] } as never;
    }),
    ask: claim('x'),
  },
  {
    setting: 'user.attribute of oidc-usermodel-property-mapper',
    realms: mapped(
      'oidc-usermodel-property-mapper',
      ...['username', 'email', 'firstName', 'emailVerified', 'enabled', 'nope'].map((name) => ({
        ...X,
        'user.attribute': name,
        'jsonType.label': name === 'enabled' ? 'boolean' : 'String',
      })),
    ),
    ask: claim('x'),
  },
  {
    setting: 'usermodel.realmRoleMapping.rolePrefix',
    realms: mapped(
      'oidc-usermodel-realm-role-mapper',
      ...['', 'pre_', '\u0024{client_id}-'].map((prefix) => ({
        ...X,
        multivalued: 'true',
        'usermodel.realmRoleMapping.rolePrefix': prefix,
      })),
    ),
    ask: claim('x'),
  },
  {
    setting: 'usermodel.clientRoleMapping.clientId',
    realms: mapped(
      'oidc-usermodel-client-role-mapper',
      ...['app', 'other', '', 'nope'].map((clientId) => ({
        ...X,
        multivalued: 'true',
        'usermodel.clientRoleMapping.clientId': clientId,
      })),
    ),
    ask: claim('x'),
  },
  {
    setting: 'usermodel.clientRoleMapping.rolePrefix and a claim per client',
    realms: mapped('oidc-usermodel-client-role-mapper', {
      'claim.name': 'by.\u0024{client_id}.x',
      multivalued: 'true',
      'usermodel.clientRoleMapping.rolePrefix': 'p.',
    }),
    ask: claim('by'),
  },
  {
    setting: 'full.path',
    realms: mapped('oidc-group-membership-mapper', { ...X, 'full.path': 'true' }, { ...X, 'full.path': 'false' }),
    ask: claim('x'),
  },
  {
    setting: 'claim.value',
    realms: mapped(
      'oidc-hardcoded-claim-mapper',
      ...(
        [
          ['5', 'int'] as const,
          ['5', 'long'] as const,
          ['TRUE', 'boolean'] as const,
          ['{"a":1}', 'JSON'] as const,
          ['[1,2]', 'JSON'] as const,
          ['abc', 'int'] as const,
          ['1.5', 'int'] as const,
          ['', 'String'] as const,
        ] as const
      ).map(([value, type]) => ({ ...X, 'claim.value': value, 'jsonType.label': type })),
    ),
    ask: claim('x'),
  },
  {
    setting: 'role of oidc-hardcoded-role-mapper',
    realms: mapped(
      'oidc-hardcoded-role-mapper',
      ...['r2', 'app.c2', 'other.o1', 'nope', 'app.nope'].map((role) => ({ role })),
    ),
    ask: roles,
  },
  {
    setting: 'role and new.role.name of oidc-role-name-mapper',
    realms: mapped(
      'oidc-role-name-mapper',
      { role: 'r1', 'new.role.name': 'x1' },
      { role: 'r1', 'new.role.name': 'app.x1' },
      { role: 'app.c1', 'new.role.name': 'top' },
      { role: 'nope', 'new.role.name': 'y' },
    ),
    ask: roles,
  },
  {
    setting: 'included.client.audience included.custom.audience',
    realms: mapped(
      'oidc-audience-mapper',
      { 'included.client.audience': 'other' },
      { 'included.custom.audience': 'https://api.test' },
      { 'included.client.audience': 'other', 'included.custom.audience': 'z' },
      { 'included.client.audience': 'nope' },
      { 'included.client.audience': 'other', 'id.token.claim': 'false' },
    ),
    ask: async (realm) => {
      const { access, id, introspection } = await claimsOfLogin(realm);
      return [access, id, introspection].map((claims) => sorted(claims?.aud));
    },
  },
  {
    setting: 'user.attribute.street user.attribute.locality',
    realms: mapped('oidc-address-mapper', {}, { 'user.attribute.street': 'text', 'user.attribute.locality': 'age' }),
    ask: claim('address'),
  },
  {
    setting: 'oidc-full-name-mapper',
    realms: [{}, withUser({ lastName: '' })].map((changes) => ({
      ...mapped('oidc-full-name-mapper', {})[0],
      ...changes,
    })),
    ask: claim('name'),
  },
  {
    setting: 'access.tokenResponse.claim',
    realms: mapped(
      'oidc-hardcoded-claim-mapper',
      ...['true', 'false'].map((inResponse) => ({
        ...X,
        'claim.value': 'v',
        'jsonType.label': 'String',
        'access.tokenResponse.claim': inResponse,
      })),
    ),
    ask: async (realm) => (await realm.login()).json.x,
  },
  {
    setting: 'defaultClientScopes',
    realms: [['profile'], ['profile', 'basic'], []].map((defaultClientScopes) => withClient({ defaultClientScopes })),
    ask: async (realm) => {
      const { id, access } = await claimsOfLogin(realm);
      // Keyhost has `auth_time` of a password login, too.
      return [access, id].map((claims) =>
        Object.keys(claims ?? {})
          .filter((name) => name !== 'auth_time')
          .sort(),
      );
    },
  },
];
