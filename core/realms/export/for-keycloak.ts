import { defaultRoleName } from '../../model/default-role-name.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { isObject, type JsonObject } from '../comparison/json.js';
import { KEYCLOAK_MEMBERS } from './keycloak-members.js';

type Kind = keyof typeof KEYCLOAK_MEMBERS;

/** The type of a member's content: one object, a list of them, or lists by name. */
const MEMBER_KINDS: Partial<Record<Kind, Readonly<Record<string, readonly ['one' | 'each' | 'lists', Kind]>>>> = {
  realm: {
    roles: ['one', 'roles'],
    defaultRole: ['one', 'role'],
    clients: ['each', 'client'],
    clientScopes: ['each', 'clientScope'],
    groups: ['each', 'group'],
    users: ['each', 'user'],
    scopeMappings: ['each', 'scopeMapping'],
    clientScopeMappings: ['lists', 'scopeMapping'],
    components: ['lists', 'component'],
    authenticationFlows: ['each', 'flow'],
    authenticatorConfig: ['each', 'authenticatorConfig'],
    requiredActions: ['each', 'requiredAction'],
    identityProviders: ['each', 'identityProvider'],
    identityProviderMappers: ['each', 'identityProviderMapper'],
  },
  roles: { realm: ['each', 'role'], client: ['lists', 'role'] },
  role: { composites: ['one', 'composites'] },
  group: { subGroups: ['each', 'group'] },
  client: { protocolMappers: ['each', 'protocolMapper'] },
  clientScope: { protocolMappers: ['each', 'protocolMapper'] },
  component: { subComponents: ['lists', 'component'] },
  flow: { authenticationExecutions: ['each', 'execution'] },
  user: {
    credentials: ['each', 'credential'],
    clientConsents: ['each', 'consent'],
    federatedIdentities: ['each', 'federatedIdentity'],
  },
};

export interface RealmForKeycloak {
  readonly representation: JsonObject;
  /** Members that Keycloak would refuse, such as `clients[].impersonation`, sorted. */
  readonly leftOut: readonly string[];
}

/** Returns a realm as Keycloak imports it, without the members that Keycloak would refuse. */
export function forKeycloak(realm: JsonObject): RealmForKeycloak {
  const leftOut = new Set<string>();
  const exportObject = (value: unknown, kind: Kind, path: string): unknown => {
    if (!isObject(value)) return value;
    const exportedMembers: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const memberPath = path === '' ? key : `${path}.${key}`;
      if (KEYCLOAK_MEMBERS[kind].has(key))
        exportedMembers[key] = exportMember(member, MEMBER_KINDS[kind]?.[key], memberPath);
      else leftOut.add(memberPath);
    }
    return exportedMembers;
  };
  const exportList = (value: unknown, kind: Kind, path: string) =>
    Array.isArray(value) ? value.map((item) => exportObject(item, kind, `${path}[]`)) : value;
  const exportMember = (
    value: unknown,
    member: readonly ['one' | 'each' | 'lists', Kind] | undefined,
    path: string,
  ) => {
    if (member === undefined) return value;
    const [shape, kind] = member;
    if (shape === 'one') return exportObject(value, kind, path);
    if (shape === 'each' || !isObject(value)) return exportList(value, kind, path);
    return Object.fromEntries(Object.entries(value).map(([name, list]) => [name, exportList(list, kind, `${path}.*`)]));
  };
  const representation = withoutRotation(exportObject(realm, 'realm', '') as RealmRepresentation, () =>
    leftOut.add(ROTATION),
  );
  return { representation: representation as JsonObject, leftOut: [...leftOut].sort() };
}

/**
 * Keycloak has this executor only with its preview feature `client-secret-rotation`, and otherwise refuses a realm with
 * it.
 */
const ROTATION = 'clientProfiles.profiles[].executors[] secret-rotation';

function withoutRotation(realm: RealmRepresentation, onRemoved: () => void): RealmRepresentation {
  const isRotation = ({ executor }: { executor?: string }) => executor === 'secret-rotation';
  const { profiles = [] } = realm.clientProfiles ?? {};
  if (!profiles.some(({ executors = [] }) => executors.some(isRotation))) return realm;
  onRemoved();
  const remainingProfiles = profiles.map((profile) => ({
    ...profile,
    executors: (profile.executors ?? []).filter((one) => !isRotation(one)),
  }));
  return { ...realm, clientProfiles: { ...realm.clientProfiles, profiles: remainingProfiles } };
}

/** Declares the realm's default role: Keycloak would otherwise create a second role for another realm name. */
export function withDefaultRole(realm: RealmRepresentation): RealmRepresentation {
  const name = defaultRoleName(realm);
  const role = realm.roles?.realm?.find((one) => one.name === name);
  return role === undefined ? realm : { ...realm, defaultRole: role };
}
