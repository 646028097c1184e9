import { DEFAULT_CLIENT_SCOPES, DEFAULT_ROLE_COMPOSITES } from '../../../model/built-in-names.js';
import { defined } from '../../../model/defined.js';
import type {
  ClientRepresentation,
  ClientScopeRepresentation,
  RealmRepresentation,
  RoleRepresentation,
  UserRepresentation,
} from '../../../model/representation.js';
import type { JsonPath } from '../../json/json-document.js';
import type { Conversion } from './migration.js';

type RoleLists = Record<string, string[]>;
type ScopeMappings = NonNullable<RealmRepresentation['clientScopeMappings']>;
type OldClient = Omit<ClientRepresentation, 'clientId'> & { name: string };

/** Members that Keycloak reads but no longer writes. */
interface OldRealm {
  readonly applications?: OldClient[];
  readonly oauthClients?: OldClient[];
  readonly applicationScopeMappings?: ScopeMappings;
  readonly clientTemplates?: ClientScopeRepresentation[];
  readonly defaultRoles?: string[];
  readonly social?: boolean;
  readonly socialProviders?: Record<string, string>;
}

interface OldUser {
  readonly applicationRoles?: RoleLists;
  readonly socialLinks?: { socialProvider: string; socialUserId: string; socialUsername?: string }[];
}

interface OldClientMembers {
  readonly clientTemplate?: string;
  readonly defaultRoles?: string[];
  readonly directGrantsOnly?: boolean;
}

/** The members of a client that the conversion of old members changes. */
interface ScopedClient {
  defaultClientScopes?: string[];
  [member: string]: unknown;
}

type ReportConversion = (path: JsonPath, message: string) => void;

/**
 * Reads members by their names in Keycloak 1 to 12: applications, OAuth clients, client templates, default roles,
 * social providers.
 * @param realm changed in place
 */
export function readOldMembers(realm: RealmRepresentation): Conversion[] {
  const conversions: Conversion[] = [];
  const report: ReportConversion = (path, message) => void conversions.push({ path, message });
  convertSocialProviders(realm, report);
  const old = realm as OldRealm;
  for (const key of ['applications', 'oauthClients'] as const) convertClientMembers(realm, old[key], key, report);
  convertClientMembers(realm, realm.clients, 'clients', report);
  convertApplications(realm, report);
  convertClientTemplates(realm, report);
  convertDefaultRoles(realm, report);
  for (const [index, user] of (realm.users ?? []).entries()) convertUserMembers(user, ['users', index], report);
  return conversions;
}

/** Removes an old member and returns its value. */
function removeMember<T extends object, K extends keyof T>(holder: object, key: K): T[K] | undefined {
  const value = (holder as T)[key];
  delete (holder as Partial<T>)[key];
  return value;
}

function convertApplications(realm: RealmRepresentation, report: ReportConversion): void {
  for (const key of ['applications', 'oauthClients'] as const) {
    const clients = removeMember<OldRealm, typeof key>(realm, key);
    if (clients === undefined) continue;
    const oauthDefaults = key === 'oauthClients' ? { consentRequired: true, fullScopeAllowed: false } : {};
    const converted = clients.map(({ name, claims: _, ...client }) => ({
      ...client,
      ...oauthDefaults,
      clientId: name,
    }));
    realm.clients = [...(realm.clients ?? []), ...converted];
    report([key], `${key} are read as clients`);
  }
  const mappings = removeMember<OldRealm, 'applicationScopeMappings'>(realm, 'applicationScopeMappings');
  if (mappings !== undefined && realm.clientScopeMappings === undefined) {
    realm.clientScopeMappings = mappings;
    report(['applicationScopeMappings'], 'read as clientScopeMappings');
  }
  const { roles } = realm;
  if (roles === undefined) return;
  const ofApplications = removeMember<{ application?: Record<string, RoleRepresentation[]> }, 'application'>(
    roles,
    'application',
  );
  if (ofApplications !== undefined && roles.client === undefined) {
    roles.client = ofApplications;
    report(['roles', 'application'], 'read as roles.client');
  }
  for (const { composites } of [...(roles.realm ?? []), ...Object.values(roles.client ?? {}).flat()]) {
    if (composites === undefined) continue;
    const contained = removeMember<{ application?: RoleLists }, 'application'>(composites, 'application');
    if (contained !== undefined) composites.client ??= contained;
  }
}

function convertClientTemplates(realm: RealmRepresentation, report: ReportConversion): void {
  const templates = removeMember<OldRealm, 'clientTemplates'>(realm, 'clientTemplates');
  if (templates !== undefined) {
    realm.clientScopes = templates.map(({ id, name, description, protocol, attributes, protocolMappers }) =>
      defined({ id, name: scopeName(name), description, protocol, attributes, protocolMappers }),
    );
    report(['clientTemplates'], 'client templates are read as client scopes');
  }
  for (const mapping of [...(realm.scopeMappings ?? []), ...Object.values(realm.clientScopeMappings ?? {}).flat()]) {
    const template = removeMember<{ clientTemplate?: string }, 'clientTemplate'>(mapping, 'clientTemplate');
    if (template !== undefined && mapping.client === undefined) mapping.clientScope ??= scopeName(template);
  }
}

/** The name of a client scope cannot contain spaces, since the parameter `scope` separates names by spaces. */
const scopeName = (template: string) => template.replaceAll(' ', '_');

function convertClientMembers(
  { defaultDefaultClientScopes = [...DEFAULT_CLIENT_SCOPES] }: RealmRepresentation,
  clients: readonly ScopedClient[] | undefined,
  key: string,
  report: ReportConversion,
): void {
  for (const [index, client] of (clients ?? []).entries()) {
    const template = removeMember<OldClientMembers, 'clientTemplate'>(client, 'clientTemplate');
    if (template !== undefined) {
      const name = scopeName(template);
      const before = client.defaultClientScopes ?? defaultDefaultClientScopes;
      if (!before.includes(name)) client.defaultClientScopes = [...before, name];
      report([key, index, 'clientTemplate'], `read as the client scope ${name}`);
    }
    const isDirect = removeMember<OldClientMembers, 'directGrantsOnly'>(client, 'directGrantsOnly');
    if (isDirect !== undefined) {
      Object.assign(client, { standardFlowEnabled: !isDirect, directAccessGrantsEnabled: isDirect });
      report([key, index, 'directGrantsOnly'], 'read as standardFlowEnabled and directAccessGrantsEnabled');
    }
  }
}

/** Adds the `defaultRoles` of the realm and of its clients to the role `default-roles-<realm>`. */
function convertDefaultRoles(realm: RealmRepresentation, report: ReportConversion): void {
  const ofRealm = removeMember<OldRealm, 'defaultRoles'>(realm, 'defaultRoles');
  const ofClients: RoleLists = {};
  for (const client of realm.clients ?? []) {
    const names = removeMember<OldClientMembers, 'defaultRoles'>(client, 'defaultRoles');
    if (names !== undefined) ofClients[client.clientId] = names.map((name) => name.trim());
  }
  const hasSome = (ofRealm?.length ?? 0) > 0 || Object.values(ofClients).some((names) => names.length > 0);
  if (!hasSome || realm.defaultRole !== undefined) return;
  const names = ofRealm?.map((name) => name.trim()) ?? [];
  const roles = [...(realm.roles?.realm ?? [])];
  const client = { ...realm.roles?.client };
  const addRole = (list: RoleRepresentation[], name: string) => {
    if (!list.some((role) => role.name === name)) list.push({ name });
  };
  for (const name of names) addRole(roles, name);
  for (const [clientId, ofClient] of Object.entries(ofClients)) {
    const list = [...(Object.hasOwn(client, clientId) ? (client[clientId] ?? []) : [])];
    for (const name of ofClient) addRole(list, name);
    client[clientId] = list;
  }
  const name = `default-roles-${realm.realm.toLowerCase()}`;
  const existing = roles.find((role) => role.name === name);
  const { realm: inRealm = [], client: inClients = {} } = existing?.composites ?? DEFAULT_ROLE_COMPOSITES;
  const contained: RoleLists = { ...inClients };
  for (const [clientId, clientRoles] of Object.entries(ofClients)) {
    contained[clientId] = [...new Set([...(contained[clientId] ?? []), ...clientRoles])];
  }
  const composites = { realm: [...new Set([...inRealm, ...names])], client: contained };
  if (existing === undefined) roles.push({ name, composite: true, composites });
  else Object.assign(existing, { composite: true, composites });
  realm.roles = { ...realm.roles, realm: roles, client };
  report(
    [ofRealm === undefined ? 'clients' : 'defaultRoles'],
    `default roles are read as what the role ${name} contains`,
  );
}

function convertUserMembers(user: UserRepresentation, path: JsonPath, report: ReportConversion): void {
  const roles = removeMember<OldUser, 'applicationRoles'>(user, 'applicationRoles');
  if (roles !== undefined && user.clientRoles === undefined) {
    user.clientRoles = roles;
    report([...path, 'applicationRoles'], 'read as clientRoles');
  }
  const links = removeMember<OldUser, 'socialLinks'>(user, 'socialLinks');
  if (links === undefined || links.length === 0 || user.federatedIdentities !== undefined) return;
  user.federatedIdentities = links.map(({ socialProvider, socialUserId, socialUsername }) =>
    defined({ identityProvider: socialProvider, userId: socialUserId, userName: socialUsername }),
  );
  report([...path, 'socialLinks'], 'read as federatedIdentities');
}

function convertSocialProviders(realm: RealmRepresentation, report: ReportConversion): void {
  const isSocialEnabled = removeMember<OldRealm, 'social'>(realm, 'social');
  const providers = removeMember<OldRealm, 'socialProviders'>(realm, 'socialProviders');
  delete realm.updateProfileOnInitialSocialLogin;
  if (isSocialEnabled !== true || providers === undefined || realm.identityProviders !== undefined) return;
  realm.identityProviders = Object.entries(providers)
    .filter(([key]) => key.endsWith('.key'))
    .map(([key, clientId]) => {
      const alias = key.slice(0, -'.key'.length);
      const clientSecret = providers[`${alias}.secret`] ?? '';
      return { alias, providerId: alias, enabled: true, linkOnly: false, config: { clientId, clientSecret } };
    });
  report(['socialProviders'], 'read as identityProviders');
}
