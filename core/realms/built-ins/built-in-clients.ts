import { ACCOUNT_CONSOLE, ADMIN_CONSOLE, AUTH_ADMIN_URL, AUTH_BASE_URL } from '../../model/built-in-names.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';

/**
 * Returns Keycloak's built-in clients that a realm lacks.
 * @param previousRealm the stored realm. If an older version created it without the client of the admin console, or
 * without later members, they are not added. Otherwise the realm would seem edited, because its file does not declare
 * them
 */
export function missingClients(
  { realm, clients = [] }: RealmRepresentation,
  previousRealm: RealmRepresentation | undefined,
): ClientRepresentation[] {
  return builtInClients(realm)
    .filter(({ clientId }) => !clients.some((client) => client.clientId === clientId))
    .flatMap((client) => {
      const before = previousRealm?.clients?.find(({ clientId }) => clientId === client.clientId);
      if (previousRealm?.clients === undefined) return client;
      if (before === undefined) return client.clientId === ADMIN_CONSOLE ? [] : client;
      const members = Object.entries(client).filter(([key]) => !LATER_MEMBERS.includes(key) || key in before);
      // The members that were left out are optional.
      return Object.fromEntries(members) as unknown as ClientRepresentation;
    });
}

function builtInClients(realm: string): ClientRepresentation[] {
  const account = {
    rootUrl: AUTH_BASE_URL,
    baseUrl: `/realms/${realm}/account/`,
    redirectUris: [`/realms/${realm}/account/*`],
    webOrigins: [],
    publicClient: true,
    fullScopeAllowed: false,
  };
  const attributes = { 'post.logout.redirect.uris': '+' };
  const withPkce = { ...attributes, 'pkce.code.challenge.method': 'S256' };
  return [
    { clientId: 'account', name: '${client_account}', ...account, attributes },
    {
      clientId: ACCOUNT_CONSOLE,
      name: `\${client_${ACCOUNT_CONSOLE}}`,
      ...account,
      attributes: withPkce,
      protocolMappers: [
        { name: 'audience resolve', protocol: 'openid-connect', protocolMapper: 'oidc-audience-resolve-mapper' },
      ],
    },
    {
      clientId: ADMIN_CONSOLE,
      name: `\${client_${ADMIN_CONSOLE}}`,
      rootUrl: AUTH_ADMIN_URL,
      baseUrl: `/admin/${realm}/console/`,
      redirectUris: [`/admin/${realm}/console/*`],
      webOrigins: ['+'],
      publicClient: true,
      fullScopeAllowed: true,
      attributes: withPkce,
      protocolMappers: [LOCALE_MAPPER],
    },
    {
      clientId: 'admin-cli',
      name: '${client_admin-cli}',
      publicClient: true,
      standardFlowEnabled: false,
      directAccessGrantsEnabled: true,
    },
    ...['broker', 'realm-management'].map((clientId) => ({
      clientId,
      name: `\${client_${clientId}}`,
      bearerOnly: true,
      standardFlowEnabled: false,
      fullScopeAllowed: false,
    })),
  ];
}

/** Members that the built-in clients of older realms do not have. */
const LATER_MEMBERS: readonly string[] = ['name', 'fullScopeAllowed', 'webOrigins'];

const LOCALE_MAPPER = {
  name: 'locale',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-usermodel-attribute-mapper',
  consentRequired: false,
  config: {
    'user.attribute': 'locale',
    'claim.name': 'locale',
    'jsonType.label': 'String',
    'introspection.token.claim': 'true',
    'userinfo.token.claim': 'true',
    'id.token.claim': 'true',
    'access.token.claim': 'true',
  },
};
