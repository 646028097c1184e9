import { HostError } from '@keyhost/spi';
import type { Patterns } from '../../model/patterns.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { messageOf } from '../../model/thrown.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import { attributeValues, isRootAttribute, setAttribute } from './attribute-values.js';
import { type AttributeValues, valueViolations } from './profile-problems.js';

/**
 * The values, with the realm profile's default (Keycloak's `defaultValue`) for attributes without a value or with only
 * blank ones.
 */
export function withDefaults(realm: Realm, values: AttributeValues): AttributeValues {
  const defaults = new Map(
    profileOf(realm).attributes.flatMap(({ name, defaultValue }) => (defaultValue ? [[name, [defaultValue]]] : [])),
  );
  if (defaults.size === 0) return values;
  return (name) => {
    const current = values(name);
    return current.some((value) => value.trim() !== '') ? current : (defaults.get(name) ?? current);
  };
}

/** Sets the realm profile's defaults for attributes without a value. Service accounts get none. */
export function fillDefaults(draft: UserRepresentation, realm: Realm): void {
  if (draft.serviceAccountClientId !== undefined) return;
  const values = withDefaults(realm, attributeValues(draft));
  for (const { name, defaultValue } of profileOf(realm).attributes) {
    if (defaultValue) setAttribute(draft, name, values(name));
  }
}

/** The problem with an attribute's default, with Keycloak's text; undefined if it is valid. */
export function defaultProblem(attribute: ProfileAttribute, patterns: Patterns): string | undefined {
  const { name, defaultValue } = attribute;
  if (!defaultValue) return undefined;
  if (isRootAttribute(name)) return `Default value not supported for attribute '${name}'`;
  try {
    const isValid =
      typeof defaultValue === 'string' && valueViolations(attribute, [defaultValue], patterns).length === 0;
    return isValid ? undefined : `Default value for attribute '${name}' is invalid`;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return `Default value for attribute '${name}': ${messageOf(error)}`;
  }
}
