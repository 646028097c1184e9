import type { Patterns } from '../../model/patterns.js';
import type { ProfileAttribute, UserProfile } from '../../model/user-profile.js';
import { type ProfileViolation, sizeViolation, VALUE_VALIDATORS } from './profile-validators.js';

/** A violation of the user profile, with the attribute's name. */
export interface AttributeProblem extends ProfileViolation {
  readonly attribute: string;
}

/** The values of an attribute by its name; empty if it is absent. Includes `username`, `email` and the names. */
export type AttributeValues = (name: string) => readonly string[];

/**
 * Checks an admin's change of a user's attributes. For an existing user, an unchanged attribute is only checked for its
 * number of values, and only if admins may correct it.
 * @param patterns the patterns of the profile's realm
 * @returns all violations
 * @throws HostError if a pattern is too expensive
 */
export function attributeProblems(
  profile: UserProfile,
  previous: AttributeValues,
  current: AttributeValues,
  patterns: Patterns,
  isNew: boolean,
): AttributeProblem[] {
  return profile.attributes.flatMap((attribute) => {
    const values = current(attribute.name);
    const isChanged = JSON.stringify(values) !== JSON.stringify(previous(attribute.name));
    const findViolations = () => {
      if (values.length === 0 && isRequired(attribute)) return [REQUIRED_VIOLATION];
      if (isChanged) return adminViolations(attribute, values, patterns);
      return isNew || !isReadOnly(attribute) ? sizeViolations(attribute, values) : [];
    };
    return findViolations().map((violation) => ({ ...violation, attribute: attribute.name }));
  });
}

export const REQUIRED_VIOLATION: ProfileViolation = { message: 'error-user-attribute-required', parameters: [] };
const READ_ONLY_VIOLATION: ProfileViolation = { message: 'error-user-attribute-read-only', parameters: [] };

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
 * True if admins may not change the attribute. Without `permissions` it is read-only, as in Keycloak, except for the
 * username.
 */
export function isReadOnly({ name, permissions }: ProfileAttribute): boolean {
  return permissions?.edit?.includes('admin') !== true && !(name === 'username' && !permissions);
}

function adminViolations(
  attribute: ProfileAttribute,
  values: readonly string[],
  patterns: Patterns,
): ProfileViolation[] {
  return isReadOnly(attribute) ? [READ_ONLY_VIOLATION] : valueViolations(attribute, values, patterns);
}

/**
 * The violations of the attribute's validators by these values.
 * @throws HostError if a pattern is too expensive
 */
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
    const violation = values
      .map((value) => validate(value, settings ?? {}, patterns))
      .find((violation) => violation !== undefined);
    return violation === undefined ? [] : [violation];
  });
}

function sizeViolations(attribute: ProfileAttribute, values: readonly string[]): ProfileViolation[] {
  const settings = attribute.validations?.multivalued ?? undefined;
  const size = sizeViolation(values, settings, attribute.multivalued === true);
  return size === undefined ? [] : [size];
}

function patternProblem(pattern: unknown, patterns: Patterns): string | undefined {
  return typeof pattern === 'string' ? patterns.problemWith(pattern) : 'its pattern must be a string';
}

/** The problem with a profile; undefined if it is valid. */
export function profileProblem({ attributes, groups }: UserProfile, patterns: Patterns): string | undefined {
  const names = attributes.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) return `Attribute '${duplicate}' is defined twice`;
  for (const name of ['username', 'email'])
    if (!names.includes(name)) return `The attribute '${name}' can not be removed`;
  const groupNames = new Set((groups ?? []).map(({ name }) => name));
  for (const { name, group, validations } of attributes) {
    if (!/^[\w.:-]{1,255}$/.test(name)) return `Attribute name '${name}' has characters that are not allowed`;
    if (group && !groupNames.has(group)) return `Attribute '${name}' references unknown group '${group}'`;
    for (const [id, settings] of Object.entries(validations ?? {})) {
      const problem = id === 'pattern' ? patternProblem(settings?.pattern, patterns) : undefined;
      if (problem !== undefined) return `Validator 'pattern' defined for attribute '${name}': ${problem}`;
    }
  }
  return undefined;
}
