import {
  type Json,
  type MappedClaims,
  type MapperInput,
  type Plugin,
  ProtocolMapper,
  type ProviderDefinition,
  provide,
  type UserView,
} from '@keyhost/spi';

type Map = (input: MapperInput) => MappedClaims;

const NOTHING: MappedClaims = Object.freeze({});

/** Keycloak's protocol mappers, by the ids that realm files use. */
const MAPPERS: Readonly<Record<string, Map>> = {
  'oidc-usermodel-property-mapper': ({ config, user }) =>
    claim(config, user === undefined ? undefined : property(user, config['user.attribute'] ?? '')),

  'oidc-usermodel-attribute-mapper': ({ config, user }) => {
    const name = config['user.attribute'] ?? '';
    if (user === undefined) return NOTHING;
    if (ALSO_ATTRIBUTES.includes(name)) return claim(config, property(user, name));
    const values = Object.hasOwn(user.attributes, name) ? user.attributes[name] : undefined;
    if (values === undefined || values.length === 0) return NOTHING;
    if (config.multivalued === 'true') return claim(config, values);
    return claim(config, values[0]);
  },

  'oidc-full-name-mapper': ({ user }) => {
    const name = [user?.firstName, user?.lastName].filter((part) => part !== undefined && part !== '').join(' ');
    return name === '' ? NOTHING : { name };
  },

  'oidc-address-mapper': ({ config, user }) => {
    const address: Record<string, string> = {};
    for (const part of ['formatted', 'street', 'locality', 'region', 'postal_code', 'country']) {
      const attribute = config[`user.attribute.${part}`] ?? part;
      const value = user?.attributes[attribute]?.[0];
      if (value !== undefined) address[part === 'street' ? 'street_address' : part] = value;
    }
    return Object.keys(address).length === 0 ? NOTHING : { address };
  },

  'oidc-usermodel-realm-role-mapper': ({ config, realmRoles }) => {
    if (realmRoles.length === 0) return NOTHING;
    const prefix = config['usermodel.realmRoleMapping.rolePrefix'] ?? '';
    const names = prefix === '' ? realmRoles : realmRoles.map((name) => prefix + name);
    return { [config['claim.name'] ?? 'realm_access.roles']: names };
  },

  'oidc-usermodel-client-role-mapper': ({ config, clientRoles }) => {
    const template = config['claim.name'] ?? `resource_access.${CLIENT_ID}.roles`;
    const only = config['usermodel.clientRoleMapping.clientId'];
    const prefix = config['usermodel.clientRoleMapping.rolePrefix'] ?? '';
    const claims: Record<string, Json> = {};
    for (const [clientId, names] of Object.entries(clientRoles)) {
      if (only !== undefined && only !== '' && only !== clientId) continue;
      const name = template.replace(CLIENT_ID, clientId.replaceAll('.', '\\.'));
      const prefixed = names.map((role) => prefix + role);
      const before = claims[name];
      claims[name] = Array.isArray(before) ? [...before, ...prefixed] : prefixed;
    }
    return claims;
  },

  'oidc-audience-resolve-mapper': ({ client, clientRoles }) => {
    const audience = Object.keys(clientRoles).filter((clientId) => clientId !== client.clientId);
    return audience.length === 0 ? NOTHING : { aud: audience };
  },

  'oidc-audience-mapper': ({ config }) => {
    const audience = config['included.client.audience'] || config['included.custom.audience'];
    return audience ? { aud: [audience] } : NOTHING;
  },

  'oidc-allowed-origins-mapper': ({ webOrigins }) =>
    webOrigins.length === 0 ? NOTHING : { 'allowed-origins': webOrigins },

  'oidc-hardcoded-claim-mapper': ({ config }) => claim(config, config['claim.value']),

  'oidc-group-membership-mapper': ({ config, groups }) => {
    const names =
      config['full.path'] === 'false' ? groups.map((path) => path.slice(path.lastIndexOf('/') + 1)) : groups;
    return { [config['claim.name'] ?? 'groups']: names };
  },

  'oidc-acr-mapper': ({ session }) => (session.acr === undefined ? NOTHING : { acr: session.acr }),

  'oidc-sub-mapper': ({ user }) => (user === undefined ? NOTHING : { sub: user.id }),

  'oidc-session-state-mapper': ({ session }) => (session.id === undefined ? NOTHING : { session_state: session.id }),

  'oidc-amr-mapper': ({ session }) => (session.amr === undefined ? NOTHING : { amr: session.amr }),

  'oidc-nonce-backwards-compatible-mapper': ({ session }) =>
    session.nonce === undefined ? NOTHING : { nonce: session.nonce },

  'oidc-claims-param-value-idtoken-mapper': ({ config, session }) => {
    const name = config['claim.name'] ?? '';
    const { requestedValues = {} } = session;
    return Object.hasOwn(requestedValues, name) ? { [name]: requestedValues[name] } : NOTHING;
  },

  'oidc-usersessionmodel-note-mapper': ({ config, session }) => {
    const note = config['user.session.note'] ?? '';
    if (note === 'AUTH_TIME') return session.authTime === undefined ? NOTHING : claim(config, String(session.authTime));
    return claim(config, Object.hasOwn(session.notes, note) ? session.notes[note] : undefined);
  },
  // What these do is done before any mapper: they change the roles that all of them are shown.
  'oidc-hardcoded-role-mapper': () => NOTHING,
  'oidc-role-name-mapper': () => NOTHING,
  // The subject is the client's, wherever it is told (Client.subjectOf).
  'oidc-sha256-pairwise-sub-mapper': () => NOTHING,
  // Claims are given where they are asked for by name, with this mapper or without it (ClaimMapping.wanted).
  'oidc-claims-param-token-mapper': () => NOTHING,
};

/** Keycloak's placeholder in the claim name of client roles. */
const CLIENT_ID = '${client_id}';

/** Properties that Keycloak also answers as attributes: its built-in client scopes ask for them so. */
const ALSO_ATTRIBUTES = ['username', 'email', 'firstName', 'lastName'];

function property(user: UserView, name: string): Json | undefined {
  switch (name) {
    case 'id':
    case 'username':
    case 'email':
    case 'firstName':
    case 'lastName':
    case 'emailVerified':
    case 'enabled':
      return user[name];
    default:
      return undefined;
  }
}

/** A value under the mapper's `claim.name`, as its `jsonType.label` says. */
function claim(config: MapperInput['config'], value: Json | undefined): MappedClaims {
  const name = config['claim.name'];
  if (name === undefined || name === '' || value === undefined || value === '') return NOTHING;
  const typed = Array.isArray(value)
    ? value.map((item) => convert(item, config['jsonType.label']))
    : convert(value, config['jsonType.label']);
  return typed === undefined ? NOTHING : { [name]: typed as Json };
}

function convert(value: Json, type: string | undefined): Json | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : value === 'true';
    case 'long':
    case 'int': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case 'JSON':
      try {
        return JSON.parse(String(value)) as Json;
      } catch {
        return undefined;
      }
    default:
      return typeof value === 'boolean' ? value : String(value);
  }
}

/** The built-in mappers, through the same SPI as anyone's. */
export const protocolMappers: Plugin = {
  name: 'keyhost-protocol-mappers',
  api: 1,
  providers: Object.entries(MAPPERS).map(([id, map]): ProviderDefinition => {
    const provider = { map };
    return provide(ProtocolMapper, { id, open: () => ({ create: () => provider }) });
  }),
};
