import type { Patterns } from '../../model/patterns.js';
import type { ProfileAttribute, UserProfile } from '../../model/user-profile.js';
import { type ProfileViolation, sizeViolation, VALUE_VALIDATORS } from './profile-validators.js';

/** A violation of the profile by an attribute. */
export interface AttributeMistake extends ProfileViolation {
  readonly attribute: string;
}

/** The values of an attribute, including `username` and the names; empty if it is absent. */
export type AttributeValues = (name: string) => readonly string[];

/**
 * Checks an admin's change of a user's attributes. An unchanged attribute is only checked if it has the wrong number of
 * values and admins may correct it, or if the user is new.
 * @param patterns those of the profile's realm
 * @returns all violations
 * @throws HostError if its patterns are too expensive
 */
export function attributeMistakes(
  profile: UserProfile,
  before: AttributeValues,
  after: AttributeValues,
  patterns: Patterns,
  isNew: boolean,
): AttributeMistake[] {
  return profile.attributes.flatMap((attribute) => {
    const values = after(attribute.name);
    const isChanged = JSON.stringify(values) !== JSON.stringify(before(attribute.name));
    const mistakes = () => {
      if (values.length === 0 && isRequired(attribute)) return [REQUIRED];
      if (isChanged) return violationsOf(attribute, values, patterns);
      return isNew || !isReadOnly(attribute) ? sizeViolations(attribute, values) : [];
    };
    return mistakes().map((violation) => ({ ...violation, attribute: attribute.name }));
  });
}

export const REQUIRED: ProfileViolation = { message: 'error-user-attribute-required', parameters: [] };
const READ_ONLY: ProfileViolation = { message: 'error-user-attribute-read-only', parameters: [] };

/** True if admins must set the attribute. Only attributes that admins may edit can be required of them. */
export function isRequired(attribute: ProfileAttribute): boolean {
  const { required } = attribute;
  if (required === undefined || required === null || isReadOnly(attribute)) return false;
  const { roles, scopes } = required;
  // An attribute required for certain scopes is required only in a client's request, as in Keycloak.
  if (scopes?.length) return false;
  return !roles?.length || roles.includes('admin');
}

/**
 * True if admins may not change it. Without `permissions` it is read-only, as in Keycloak; but the username never is
 * then.
 */
export function isReadOnly({ name, permissions }: ProfileAttribute): boolean {
  return permissions?.edit?.includes('admin') !== true && !(name === 'username' && !permissions);
}

function violationsOf(attribute: ProfileAttribute, values: readonly string[], patterns: Patterns): ProfileViolation[] {
  return isReadOnly(attribute) ? [READ_ONLY] : valueViolations(attribute, values, patterns);
}

/** The violations of the attribute's validators by these values. @throws HostError if patterns are too expensive */
export function valueViolations(
  attribute: ProfileAttribute,
  values: readonly string[],
  patterns: Patterns,
): ProfileViolation[] {
  const validations = attribute.validations ?? {};
  const size = sizeViolations(attribute, values);
  if (size.length > 0) return size;
  return Object.entries(validations).flatMap(([id, settings]) => {
    const validate = Object.hasOwn(VALUE_VALIDATORS, id) ? VALUE_VALIDATORS[id] : undefined;
    if (validate === undefined) return [];
    const found = values
      .map((value) => validate(value, settings ?? {}, patterns))
      .find((violation) => violation !== undefined);
    return found === undefined ? [] : [found];
  });
}

function sizeViolations(attribute: ProfileAttribute, values: readonly string[]): ProfileViolation[] {
  const settings = attribute.validations?.multivalued ?? undefined;
  const size = sizeViolation(values, settings, attribute.multivalued === true);
  return size === undefined ? [] : [size];
}

function patternMistake(pattern: unknown, patterns: Patterns): string | undefined {
  return typeof pattern === 'string' ? patterns.mistake(pattern) : 'its pattern must be a string';
}

/** The problem with a profile; undefined if it is valid. */
export function profileMistake({ attributes, groups }: UserProfile, patterns: Patterns): string | undefined {
  const names = attributes.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `Attribute '${twice}' is defined twice`;
  for (const name of ['username', 'email'])
    if (!names.includes(name)) return `The attribute '${name}' can not be removed`;
  const groupNames = new Set((groups ?? []).map(({ name }) => name));
  for (const { name, group, validations } of attributes) {
    if (!/^[\w.:-]{1,255}$/.test(name)) return `Attribute name '${name}' has characters that are not allowed`;
    if (group && !groupNames.has(group)) return `Attribute '${name}' references unknown group '${group}'`;
    for (const [id, settings] of Object.entries(validations ?? {})) {
      const mistake = id === 'pattern' ? patternMistake(settings?.pattern, patterns) : undefined;
      if (mistake !== undefined) return `Validator 'pattern' defined for attribute '${name}': ${mistake}`;
    }
  }
  return undefined;
}
