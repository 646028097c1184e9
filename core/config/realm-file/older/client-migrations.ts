import {
  ACCOUNT_CONSOLE,
  ADMIN_CONSOLE,
  AUTH_ADMIN_URL,
  AUTH_BASE_URL,
  REALM_MANAGEMENT_COMPOSITES,
} from '../../../model/built-in-names.js';
import type { ProtocolMapperRepresentation, RoleRepresentation } from '../../../model/representation.js';
import type { MigratingRealm, Migration } from './migration.js';

const ACCOUNT = 'account';
const LIGHTWEIGHT = 'client.use.lightweight.access.token.enabled';

/** Changes that releases of Keycloak made to its own clients and their roles. */
export const CLIENT_MIGRATIONS: readonly Migration[] = [
  {
    release: '3.0.0',
    migrate: (migrating) => addContainedRoles(migrating, ACCOUNT, 'manage-account', ['manage-account-links']),
  },
  { release: '8.0.0', migrate: resetAddresses },
  {
    release: '9.0.0',
    migrate(migrating) {
      for (const clientId of [ADMIN_CONSOLE, ACCOUNT_CONSOLE]) {
        setAttribute(migrating, clientId, 'pkce.code.challenge.method', 'S256');
      }
    },
  },
  { release: '20.0.0', migrate: mapViewGroups },
  {
    release: '26.0.0',
    migrate(migrating) {
      for (const clientId of [ADMIN_CONSOLE, 'admin-cli']) {
        setAttribute(migrating, clientId, LIGHTWEIGHT, 'true');
        const client = migrating.client(clientId);
        if (client === undefined || client.client.fullScopeAllowed === true) continue;
        client.client.fullScopeAllowed = true;
        migrating.recordConversion(
          client.path,
          `${clientId} has fullScopeAllowed, so that its tokens administer the realm`,
        );
      }
    },
  },
];

/** Changes that Keycloak makes to every file, of any version. */
export function completeClients(migrating: MigratingRealm): void {
  addUserinfoClaims(migrating);
  for (const [role, contained] of Object.entries(REALM_MANAGEMENT_COMPOSITES)) {
    addContainedRoles(migrating, 'realm-management', role, contained);
  }
}

/**
 * Gives mappers without a value for userinfo that for ID tokens. A value other than "true" and "false" is not copied:
 * it means false, and a warning reports it with its position.
 */
function addUserinfoClaims(migrating: MigratingRealm): void {
  const changeMappers = (mappers: readonly ProtocolMapperRepresentation[] = [], path: readonly (string | number)[]) => {
    for (const [index, { config }] of mappers.entries()) {
      const idTokenClaim = config?.['id.token.claim'];
      if (config === undefined || config['userinfo.token.claim'] !== undefined) continue;
      if (idTokenClaim !== 'true' && idTokenClaim !== 'false') continue;
      config['userinfo.token.claim'] = idTokenClaim;
      migrating.recordConversion(
        [...path, 'protocolMappers', index, 'config'],
        `userinfo.token.claim is "${idTokenClaim}"`,
      );
    }
  };
  for (const key of ['clients', 'clientScopes'] as const) {
    for (const [index, { protocolMappers }] of (migrating.realm[key] ?? []).entries()) {
      changeMappers(protocolMappers, [key, index]);
    }
  }
}

function rolesOf({ realm }: MigratingRealm, clientId: string): RoleRepresentation[] | undefined {
  const { client } = realm.roles ?? {};
  return client !== undefined && Object.hasOwn(client, clientId) ? client[clientId] : undefined;
}

/**
 * Makes a role of the file contain other roles. Keyhost adds built-in roles that a file lacks, but adds no contained
 * roles to roles that it has.
 */
function addContainedRoles(
  migrating: MigratingRealm,
  clientId: string,
  name: string,
  contained: readonly string[],
): void {
  const roles = rolesOf(migrating, clientId) ?? [];
  const index = roles.findIndex((role) => role.name === name);
  const role = roles[index];
  const before = role?.composites?.client?.[clientId] ?? [];
  const addedRoles = contained.filter((one) => !before.includes(one));
  if (role === undefined || addedRoles.length === 0) return;
  role.composite = true;
  role.composites = {
    ...role.composites,
    client: { ...role.composites?.client, [clientId]: [...before, ...addedRoles] },
  };
  migrating.recordConversion(['roles', 'client', clientId, index], `the role contains ${addedRoles.join(', ')}`);
}

function resetAddresses(migrating: MigratingRealm): void {
  const { realm } = migrating.realm;
  const consolePath = `/admin/${realm}/console/`;
  const accountPath = `/realms/${realm}/account/`;
  const addresses = {
    [ADMIN_CONSOLE]: {
      rootUrl: AUTH_ADMIN_URL,
      baseUrl: consolePath,
      redirectUris: [`${consolePath}*`],
      webOrigins: ['+'],
    },
    [ACCOUNT]: { rootUrl: AUTH_BASE_URL, baseUrl: accountPath, redirectUris: [`${accountPath}*`] },
  };
  for (const [clientId, members] of Object.entries(addresses)) {
    const client = migrating.client(clientId);
    if (client === undefined) continue;
    Object.assign(client.client, members);
    migrating.recordConversion(client.path, `the addresses of ${clientId} are below the host's`);
  }
}

function setAttribute(migrating: MigratingRealm, clientId: string, name: string, value: string): void {
  const client = migrating.client(clientId);
  if (client === undefined || client.client.attributes?.[name] === value) return;
  client.client.attributes = { ...client.client.attributes, [name]: value };
  migrating.recordConversion(client.path, `${clientId} has the attribute ${name} = "${value}"`);
}

/**
 * Maps the role `view-groups`, which older files do not have, to the account page: without the role it does not show
 * the user's groups.
 */
function mapViewGroups(migrating: MigratingRealm): void {
  const { realm } = migrating;
  const client = migrating.client(ACCOUNT_CONSOLE);
  const isNew = migrating.client(ACCOUNT) !== undefined && !hasAccountRole(migrating, 'view-groups');
  if (client === undefined || !isNew) return;
  const before = realm.clientScopeMappings ?? {};
  const ofAccount = Object.hasOwn(before, ACCOUNT) ? (before[ACCOUNT] ?? []) : [];
  const mapping = { client: ACCOUNT_CONSOLE, roles: ['view-groups'] };
  realm.clientScopeMappings = { ...before, [ACCOUNT]: [...ofAccount, mapping] };
  migrating.recordConversion(client.path, `${ACCOUNT_CONSOLE} has the role view-groups in its scope`);
}

function hasAccountRole(migrating: MigratingRealm, name: string): boolean {
  return rolesOf(migrating, ACCOUNT)?.some((role) => role.name === name) === true;
}
