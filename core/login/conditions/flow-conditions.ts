import type { Realm } from '../../model/realm.js';
import type { GroupRepresentation } from '../../model/representation.js';
import { safePattern } from '../../model/safe-pattern.js';
import type { User } from '../../model/user.js';
import { LEVEL_CONDITION, levelOfCondition } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import { attributeValues } from '../../users/profile/attribute-values.js';
import { NO_LEVEL } from '../flows/levels.js';
import type { FlowRun } from '../flows/run-flow.js';

type Condition = (run: FlowRun, condition: Execution) => boolean | Promise<boolean>;

/**
 * Keycloak's conditions, but for `conditional-user-configured`, which looks at the steps beside it. Of a login that knows no
 * user yet those about users are not met.
 */
const CONDITIONS: Readonly<Record<string, Condition>> = {
  async [LEVEL_CONDITION](run, condition) {
    const { level: current = NO_LEVEL } = run.login;
    const { level } = levelOfCondition(condition) ?? {};
    if (level === undefined || current === NO_LEVEL) return true;
    return level <= (await run.wantedLevel()) && current < level;
  },
  async 'conditional-user-role'(run, { config }) {
    const user = await run.user();
    return user !== undefined && hasRole(realmOf(run), user, config.condUserRole ?? '') !== (config.negate === 'true');
  },
  async 'conditional-user-attribute'(run, { config }) {
    const user = await run.user();
    return user !== undefined && hasValue(realmOf(run), user, config) !== (config.not === 'true');
  },
  /** One of the types was used; or none was, without `included`. */
  'conditional-credential'({ login }, { config }) {
    const used = login.credentialTypes.size > 0 ? login.credentialTypes : new Set(['none']);
    const isUsed = (config.credentials ?? '').split('##').some((type) => used.has(type));
    return isUsed === (config.included === 'true');
  },
  'conditional-client-scope': ({ scopes }, { config }) =>
    scopes.includes(config.client_scope ?? '') !== (config.negate === 'true'),
};

/** Others count as met: they ask for too much rather than let somebody pass. */
export async function isMet(run: FlowRun, condition: Execution): Promise<boolean> {
  const { authenticator = '' } = condition;
  const known = Object.hasOwn(CONDITIONS, authenticator) ? CONDITIONS[authenticator] : undefined;
  return known === undefined || known(run, condition);
}

function realmOf({ session }: FlowRun): Realm {
  return session.compiledRealm;
}

/** By Keycloak's name of a role: its own in the realm, or `client.role`. One that is not there nobody has. */
function hasRole(realm: Realm, user: User, name: string): boolean {
  const dots = [...name.matchAll(/\./g)].map(({ index }) => index);
  const ofClient = dots.map((at) => realm.roles.clients.get(name.slice(0, at))?.get(name.slice(at + 1)));
  const role = ofClient.find((one) => one !== undefined) ?? realm.roles.realm.get(name);
  return role !== undefined && user.effectiveRoles(realm).has(role);
}

function hasValue(realm: Realm, user: User, config: Execution['config']): boolean {
  const { attribute_name: name = '', attribute_expected_value: expected = '' } = config;
  const ofGroups =
    config.include_group_attributes === 'true'
      ? user.groups(realm).flatMap((path) => groupValues(realm.representation.groups ?? [], path, name))
      : [];
  const values = [...attributeValues(user.view)(name), ...ofGroups];
  const pattern = config.regex === 'true' ? safePattern(expected) : undefined;
  return values.some((value) => (pattern === undefined ? value === expected : pattern.test(value)));
}

/** Of the group with that path and of those above it. */
function groupValues(groups: readonly GroupRepresentation[], path: string, name: string): readonly string[] {
  const group = groups.find((one) => path === `/${one.name}` || path.startsWith(`/${one.name}/`));
  if (group === undefined) return [];
  const { attributes = {} } = group;
  const own = Object.hasOwn(attributes, name) ? (attributes[name] ?? []) : [];
  return [...own, ...groupValues(group.subGroups ?? [], path.slice(group.name.length + 1), name)];
}
