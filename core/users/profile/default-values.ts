import { HostError } from '@keyhost/spi';
import type { Patterns } from '../../model/patterns.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import { messageOf } from '../../model/thrown.js';
import type { ProfileAttribute } from '../../model/user-profile.js';
import { attributeValues, isRootAttribute, setAttribute } from './attribute-values.js';
import { type AttributeValues, valueViolations } from './check-profile.js';

/** Values, and for an attribute without any the default of the realm's profile (Keycloak's `defaultValue`). */
export function withDefaults(realm: Realm, values: AttributeValues): AttributeValues {
  const defaults = new Map(
    profileOf(realm).attributes.flatMap(({ name, defaultValue }) => (defaultValue ? [[name, [defaultValue]]] : [])),
  );
  if (defaults.size === 0) return values;
  return (name) => {
    const given = values(name);
    return given.some((value) => value.trim() !== '') ? given : (defaults.get(name) ?? given);
  };
}

/** Gives a user whatever the realm's profile has a default for and the user has nothing of; a service account nothing. */
export function fillDefaults(draft: UserRepresentation, realm: Realm): void {
  if (draft.serviceAccountClientId !== undefined) return;
  const values = withDefaults(realm, attributeValues(draft));
  for (const { name, defaultValue } of profileOf(realm).attributes) {
    if (defaultValue) setAttribute(draft, name, values(name));
  }
}

/** Why an attribute cannot have its default, in Keycloak's words; undefined: it can. */
export function defaultMistake(attribute: ProfileAttribute, patterns: Patterns): string | undefined {
  const { name, defaultValue } = attribute;
  if (!defaultValue) return undefined;
  if (isRootAttribute(name)) return `Default value not supported for attribute '${name}'`;
  try {
    const fits = typeof defaultValue === 'string' && valueViolations(attribute, [defaultValue], patterns).length === 0;
    return fits ? undefined : `Default value for attribute '${name}' is invalid`;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return `Default value for attribute '${name}': ${messageOf(error)}`;
  }
}
