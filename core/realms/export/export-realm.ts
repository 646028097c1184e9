import { escapeReferences } from '../../config/realm-file/references.js';
import { isGeneratedKey, KEY_PROVIDER } from '../../keys/component-key.js';
import { keycloakGroupPath } from '../../model/group-path.js';
import type {
  FederatedIdentityRepresentation,
  RealmRepresentation,
  UserRepresentation,
} from '../../model/representation.js';
import { isSecretName } from '../../model/secret-names.js';
import type { RealmDeclaration } from '../../store/store.js';
import { isObject, isTexts, type JsonObject } from '../comparison/json.js';
import { REALM_SHAPE } from '../comparison/realm-shape.js';
import { withReferences } from '../comparison/restore-references.js';
import { memberShape, type Shape, VALUE } from '../comparison/shape.js';
import { withAllFlows } from '../flows/running-flows.js';
import { withoutOrphans } from '../own-components.js';
import { forKeycloak, type RealmForKeycloak, withDefaultRole } from './for-keycloak.js';

export interface ExportOptions {
  /** True to export the secrets of clients, of providers and of users too. */
  readonly secrets: boolean;
}

export interface RealmExport {
  /** In a canonical order, which depends only on the content. */
  readonly representation: JsonObject;
  /** The environment variables that take the place of secrets that providers require. */
  readonly variables: readonly string[];
}

/**
 * Exports a realm as a file that creates the same realm. References of its file are written as references; private keys
 * are never exported. A text that looks like a reference, such as one that a user has entered, is escaped. If secrets
 * are not exported, they are left out, and a reference takes the place of each secret that a provider requires.
 */
export function exportRealm(
  live: RealmRepresentation,
  declaration: RealmDeclaration | undefined,
  users: readonly UserRepresentation[],
  { secrets }: ExportOptions,
): RealmExport {
  const variables = new Set<string>();
  const complete = withAllFlows(live);
  const withSources = declaration === undefined ? escapeReferences(complete) : withReferences(complete, declaration);
  const visibleRealm = secrets ? withSources : withoutSecrets(withSources, live.realm, variables);
  const orderedRealm = inCanonicalOrder(
    REALM_SHAPE,
    withoutLostKeys(visibleRealm as RealmRepresentation),
  ) as JsonObject;
  const exportedUsers = users
    .map(withoutBrokerTokens)
    .map((user) => inCanonicalOrder(VALUE, escapeReferences(secrets ? user : withoutCredentials(user))));
  return {
    representation: exportedUsers.length === 0 ? orderedRealm : { ...orderedRealm, users: exportedUsers },
    variables: [...variables].sort(),
  };
}

/** Exports a realm with its users and secrets as Keycloak imports it: with values instead of references. */
export function exportForKeycloak(live: RealmRepresentation, users: readonly UserRepresentation[]): RealmForKeycloak {
  const complete = withGroupPaths('defaultGroups', withoutOrphans(withDefaultRole(withAllFlows(live))));
  const realm = inCanonicalOrder(REALM_SHAPE, withoutLostKeys(complete)) as JsonObject;
  const exportedUsers = users.map((user) =>
    inCanonicalOrder(VALUE, withGroupPaths('groups', withoutBrokerTokens(user))),
  );
  return forKeycloak({ ...realm, users: exportedUsers });
}

/** Writes the paths of groups as Keycloak does, which finds groups by them. */
function withGroupPaths<K extends string, T extends { [key in K]?: unknown }>(key: K, holder: T): T {
  const paths = holder[key];
  return Array.isArray(paths) ? { ...holder, [key]: paths.map(keycloakGroupPath) } : holder;
}

/** Removes key components whose private key only a file can supply: without it they are useless. */
function withoutLostKeys(realm: RealmRepresentation): RealmRepresentation {
  const components = realm.components?.[KEY_PROVIDER];
  if (components === undefined) return realm;
  return { ...realm, components: { ...realm.components, [KEY_PROVIDER]: components.filter(isGeneratedKey) } };
}

function withoutCredentials({ credentials: _, ...user }: UserRepresentation): JsonObject {
  return user;
}

/** Tokens of providers are encrypted with a key that is not exported. */
function withoutBrokerTokens({ federatedIdentities: links, ...user }: UserRepresentation): UserRepresentation {
  if (links === undefined) return user as UserRepresentation;
  const exportedLinks = links.map(({ token: _, ...link }) => link as FederatedIdentityRepresentation);
  return { ...(user as UserRepresentation), federatedIdentities: exportedLinks };
}

/** Matches a text that is only a reference, without a default. */
const REFERENCE = /^\$\{(env|file)\.[^}:]+\}$/;
const WITH_DEFAULT = /^\$\{env\.([^}:]+):[^}]*\}$/;

function withoutSecrets(value: unknown, realm: string, variables: Set<string>, path: readonly string[] = []): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, realm, variables, path));
  if (!isObject(value)) return value;
  const exportedMembers: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const memberPath = [...path, key];
    if (!isSecretName(key) || !(typeof member === 'string' || isTexts(member))) {
      exportedMembers[key] = withoutSecrets(member, realm, variables, memberPath);
    } else if (typeof member === 'string' && REFERENCE.test(member)) {
      exportedMembers[key] = member;
    } else if (path[0] === 'providers') {
      const reference = WITH_DEFAULT.exec(String(member))?.[1];
      const name = reference ?? variableName([realm, ...memberPath.slice(2).filter((part) => part !== 'config')]);
      variables.add(name);
      exportedMembers[key] = `\${env.${name}}`;
    }
  }
  return exportedMembers;
}

/** `DEMO_EXTERNAL_APP_NOTIFICATION_CLIENT_SECRET` */
function variableName(parts: readonly string[]): string {
  return parts
    .join('_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase();
}

/** Identifying members come first. */
const FIRST_MEMBERS = ['realm', 'clientId', 'username', 'alias', 'name', 'id'];

/** Sorts members, named objects in lists, and sets by name. Other lists keep their order. */
function inCanonicalOrder(shape: Shape, value: unknown): unknown {
  if (isObject(value)) {
    const keys = Object.keys(value).sort((one, other) => rankOfKey(one) - rankOfKey(other) || (one < other ? -1 : 1));
    return Object.fromEntries(keys.map((key) => [key, inCanonicalOrder(memberShape(shape, key), value[key])]));
  }
  if (!Array.isArray(value)) return value;
  if (shape.kind === 'set' && isTexts(value)) return [...value].sort();
  if (shape.kind !== 'items') return value.map((item) => inCanonicalOrder(VALUE, item));
  const itemsByName = value.map(
    (item) => [isObject(item) ? String(shape.nameOf(item)) : '', inCanonicalOrder(shape.of, item)] as const,
  );
  return itemsByName.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).map(([, item]) => item);
}

function rankOfKey(key: string): number {
  const rankIndex = FIRST_MEMBERS.indexOf(key);
  return rankIndex < 0 ? FIRST_MEMBERS.length : rankIndex;
}
