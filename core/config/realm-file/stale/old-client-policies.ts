import { didYouMean } from '../../did-you-mean.js';
import { CLIENT_POLICIES_SCHEMA, CLIENT_PROFILES_SCHEMA } from '../schema/client-policy-schema.js';
import { isJsonObject, type JsonMembers, type Replacement, type StaleRule } from './rule.js';

const DOCUMENT_MEMBERS = Object.keys({ ...CLIENT_POLICIES_SCHEMA.properties, ...CLIENT_PROFILES_SCHEMA.properties });
const POLICY_MEMBERS = Object.keys(CLIENT_POLICIES_SCHEMA.properties.policies.items.properties);
const PROFILE_MEMBERS = Object.keys(CLIENT_PROFILES_SCHEMA.properties.profiles.items.properties);

/**
 * Rules for client policies as Keycloak 12 and 13 wrote them: with `builtin`, `enable`, and the names of conditions and
 * executors as keys. Keycloak 26 imports a realm with these and drops all its policies.
 */
export const POLICY_RULES: readonly StaleRule[] = [
  { at: ['clientProfiles', 'profiles', '*'], read: (value) => readEntry(value, 'profile') },
  { at: ['clientPolicies', 'policies', '*'], read: (value) => readEntry(value, 'policy') },
  ...['clientProfiles', 'clientPolicies'].map((member) => ({
    at: [member, '*'],
    read: (_: unknown, name: string | number) => removeUnknown(String(name), DOCUMENT_MEMBERS),
  })),
  { at: ['clientProfiles', 'profiles', '*', '*'], read: (_, name) => removeUnknown(String(name), PROFILE_MEMBERS) },
  { at: ['clientPolicies', 'policies', '*', '*'], read: (_, name) => removeUnknown(String(name), POLICY_MEMBERS) },
];

function readEntry(value: unknown, kind: 'profile' | 'policy'): Replacement | undefined {
  if (!isJsonObject(value)) return undefined;
  const [list, item] = kind === 'policy' ? ['conditions', 'condition'] : ['executors', 'executor'];
  const isEnabled = (value.enabled ?? value.enable) === true;
  if (value.builtin === true) {
    const message = 'is left out: Keycloak 14 and later have no built-in client policies and profiles';
    return { message, ...(isEnabled ? { weakens: true as const } : {}) };
  }
  if (hasOldItems(value[list], item)) {
    const message = `is left out: its ${list} are those of Keycloak 13, which Keycloak 26 does not read either`;
    return { message, ...(isEnabled || kind === 'profile' ? { weakens: true as const } : {}) };
  }
  if (typeof value.enable !== 'boolean' || value.enabled !== undefined || value.builtin === undefined) return undefined;
  const { enable, builtin: _, ...rest } = value;
  return { to: { ...rest, enabled: enable }, message: '"enable" is read as "enabled", and "builtin" is left out' };
}

/** True if an item is an object whose only key names the provider, such as `{"clientroles-condition": {…}}`. */
function hasOldItems(items: unknown, member: string): boolean {
  return (
    Array.isArray(items) &&
    items.some((item) => {
      if (!isJsonObject(item) || item[member] !== undefined) return false;
      const names = Object.keys(item);
      return names.length === 1 && isJsonObject((item as JsonMembers)[names[0] ?? '']);
    })
  );
}

/** Removes a member that is neither known nor a near miss of a known one, which would be a typing mistake. */
function removeUnknown(name: string, knownMembers: readonly string[]): Replacement | undefined {
  if (knownMembers.includes(name) || didYouMean(name, knownMembers, 2) !== undefined) return undefined;
  return { message: 'is left out: client policies have no such member' };
}
