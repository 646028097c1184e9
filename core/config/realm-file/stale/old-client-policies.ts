import { didYouMean } from '../../did-you-mean.js';
import { CLIENT_POLICIES_SCHEMA, CLIENT_PROFILES_SCHEMA } from '../schema/client-policy-schema.js';
import { isMembers, type Members, type Reading, type StaleRule } from './rule.js';

const DOCUMENT = Object.keys({ ...CLIENT_POLICIES_SCHEMA.properties, ...CLIENT_PROFILES_SCHEMA.properties });
const POLICY_MEMBERS = Object.keys(CLIENT_POLICIES_SCHEMA.properties.policies.items.properties);
const PROFILE_MEMBERS = Object.keys(CLIENT_PROFILES_SCHEMA.properties.profiles.items.properties);

/**
 * Client policies in the form of Keycloak 12 and 13: `builtin` policies and profiles, `enable`, and conditions and
 * executors named by their key. Keycloak 26 imports a realm with them and drops all its policies.
 */
export const POLICY_RULES: readonly StaleRule[] = [
  { at: ['clientProfiles', 'profiles', '*'], read: (value) => readPart(value, 'profile') },
  { at: ['clientPolicies', 'policies', '*'], read: (value) => readPart(value, 'policy') },
  ...['clientProfiles', 'clientPolicies'].map((member) => ({
    at: [member, '*'],
    read: (_: unknown, name: string | number) => unknownMember(String(name), DOCUMENT),
  })),
  { at: ['clientProfiles', 'profiles', '*', '*'], read: (_, name) => unknownMember(String(name), PROFILE_MEMBERS) },
  { at: ['clientPolicies', 'policies', '*', '*'], read: (_, name) => unknownMember(String(name), POLICY_MEMBERS) },
];

function readPart(value: unknown, kind: 'profile' | 'policy'): Reading | undefined {
  if (!isMembers(value)) return undefined;
  const [list, item] = kind === 'policy' ? ['conditions', 'condition'] : ['executors', 'executor'];
  const isOn = (value.enabled ?? value.enable) === true;
  if (value.builtin === true) {
    const message = 'is left out: Keycloak 14 and later have no built-in client policies and profiles';
    return { message, ...(isOn ? { weakens: true as const } : {}) };
  }
  if (hasOldItems(value[list], item)) {
    const message = `is left out: its ${list} are those of Keycloak 13, which Keycloak 26 does not read either`;
    return { message, ...(isOn || kind === 'profile' ? { weakens: true as const } : {}) };
  }
  if (typeof value.enable !== 'boolean' || value.enabled !== undefined || value.builtin === undefined) return undefined;
  const { enable, builtin: _, ...rest } = value;
  return { to: { ...rest, enabled: enable }, message: '"enable" is read as "enabled", and "builtin" is left out' };
}

/** True if an item names its provider by its key: `{"clientroles-condition": {…}}`. */
function hasOldItems(items: unknown, member: string): boolean {
  return (
    Array.isArray(items) &&
    items.some((item) => {
      if (!isMembers(item) || item[member] !== undefined) return false;
      const names = Object.keys(item);
      return names.length === 1 && isMembers((item as Members)[names[0] ?? '']);
    })
  );
}

/** A near miss of a known member is a typing mistake. */
function unknownMember(name: string, knownMembers: readonly string[]): Reading | undefined {
  if (knownMembers.includes(name) || didYouMean(name, knownMembers, 2) !== undefined) return undefined;
  return { message: 'is left out: client policies have no such member' };
}
