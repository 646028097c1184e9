import { isDeepStrictEqual } from 'node:util';
import type { JsonPath } from '../../config/json/json-document.js';
import { Patterns } from '../../model/patterns.js';
import { profileOf } from '../../model/profile-of-realm.js';
import type { Realm } from '../../model/realm.js';
import type { UserRepresentation } from '../../model/representation.js';
import type { User } from '../../model/user.js';
import type { UserProfile } from '../../model/user-profile.js';
import { DISABLED_REASON, PERMANENT_LOCKOUT } from '../../users/passwords/login-failures.js';
import { attributeValues, isRootAttribute } from '../../users/profile/attribute-values.js';
import { fillDefaults, withDefaults } from '../../users/profile/default-values.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import { profileProblemRepresentation } from '../../users/profile/problem-representation.js';
import { type AttributeProblem, attributeProblems, isReadOnly } from '../../users/profile/profile-problems.js';
import { type Admin, AdminError, badRequest } from '../admin.js';
import type { UserInput } from './user-input.js';

type CallerRights = Pick<Admin, 'keepsUndeclaredAttributes'>;

/**
 * Applies a request to a user. Absent members are left unchanged; sent attributes replace all existing ones.
 * @param draft the user; a new one still has the username ''
 * @param actions the required actions that exist: others are dropped, because no user could complete them
 * @param caller determines whether the user may have attributes that the realm's user profile does not declare
 * @throws AdminError 400, also for violations of the realm's user profile
 */
export function applyUserInput(
  draft: UserRepresentation,
  input: UserInput,
  realm: Realm,
  actions: ReadonlySet<string>,
  caller: CallerRights,
): void {
  const isNew = draft.username === '';
  // A default value that is filled in is not a change, even in an attribute that admins may not edit.
  const before = withDefaults(realm, attributeValues({ ...draft }));
  for (const key of ['firstName', 'lastName'] as const) setText(draft, key, input[key]);
  for (const key of ['enabled', 'emailVerified'] as const) {
    const flag = input[key];
    if (typeof flag === 'boolean') draft[key] = flag;
  }
  setText(draft, 'email', input.email?.trim().toLowerCase());
  applyUsername(draft, input.username?.trim().toLowerCase(), realm, isNew);
  if (input.requiredActions)
    draft.requiredActions = [...new Set(input.requiredActions)].filter((action) => actions.has(action));
  if (input.attributes)
    draft.attributes = mergeAttributes(draft.attributes ?? {}, attributesOf(input.attributes), realm, caller);
  // Enabling a user again ends a permanent lockout.
  if (input.enabled === true && draft.attributes?.[DISABLED_REASON]?.[0] === PERMANENT_LOCKOUT)
    delete draft.attributes[DISABLED_REASON];
  if (draft.serviceAccountClientId !== undefined) return;
  fillDefaults(draft, realm);
  const after = attributeValues(draft);
  requireNoProblems(attributeProblems(profileFor(realm, caller), before, after, new Patterns(realm.name), isNew));
}

/**
 * Runs the validators of plugins on an admin's change of a user. Attributes that are unchanged, or that admins cannot
 * edit, are not validated.
 * @param before undefined for a new user
 * @throws AdminError 400; ProfileUnavailable
 */
export async function requireValidAttributes(
  validators: PluginValidators,
  realm: Realm,
  before: User | undefined,
  after: UserRepresentation,
  caller: CallerRights,
): Promise<void> {
  if (after.serviceAccountClientId !== undefined) return;
  const values = attributeValues(after);
  const previousValues = before && attributeValues(before.representation);
  const names = profileFor(realm, caller)
    .attributes.filter(
      (attribute) =>
        !isReadOnly(attribute) && !isDeepStrictEqual(values(attribute.name), previousValues?.(attribute.name)),
    )
    .map(({ name }) => name);
  requireNoProblems(await validators.validate(realm, { context: 'USER_API', names, values, user: before?.view }));
}

/** Reports violations. @throws AdminError 400 if there are any */
function requireNoProblems(problems: readonly AttributeProblem[]): void {
  const [first, ...remaining] = problems.map(toErrorBody);
  if (first !== undefined)
    throw new AdminError(400, remaining.length === 0 ? first : { errors: [first, ...remaining] });
}

function applyUsername(draft: UserRepresentation, newUsername: string | undefined, realm: Realm, isNew: boolean): void {
  const { registrationEmailAsUsername, editUsernameAllowed } = realm.representation;
  const usesEmail = registrationEmailAsUsername === true && draft.serviceAccountClientId === undefined;
  const username = usesEmail && draft.email ? draft.email : isNew ? newUsername : (newUsername ?? draft.username);
  if (username === undefined || username === '') throw badRequest('User name is missing');
  if (username === draft.username.toLowerCase()) return;
  if (draft.serviceAccountClientId !== undefined)
    throw badRequest('The name of a service account goes with its client');
  if (!isNew && !usesEmail && editUsernameAllowed !== true) {
    throw new AdminError(
      400,
      toErrorBody({ attribute: 'username', message: 'error-user-attribute-read-only', parameters: [] }),
    );
  }
  draft.username = username;
}

/** The text is English, like all texts of the Admin REST API. */
const toErrorBody = (problem: AttributeProblem) => profileProblemRepresentation(problem, 'en');

function setText(draft: UserRepresentation, key: 'email' | 'firstName' | 'lastName', value: string | null | undefined) {
  if (value === '') delete draft[key];
  else if (typeof value === 'string') draft[key] = value;
}

/** Returns the paths in the body of required actions that do not exist. */
export function droppedActions({ requiredActions }: UserInput, actions: ReadonlySet<string>): JsonPath[] {
  return (requiredActions ?? []).flatMap((action, index) =>
    action === '' || actions.has(action) ? [] : [['requiredActions', index]],
  );
}

/** Returns the paths in the body of attributes that the realm's user profile does not allow. */
export function droppedAttributes(
  input: UserInput,
  before: UserRepresentation['attributes'],
  realm: Realm,
  caller: CallerRights,
): JsonPath[] {
  const requestedAttributes = attributesOf(input.attributes ?? {});
  const result = mergeAttributes(before ?? {}, requestedAttributes, realm, caller);
  return Object.keys(requestedAttributes)
    .filter((name) => !isDeepStrictEqual(result[name], requestedAttributes[name]))
    .map((name) => ['attributes', name]);
}

/**
 * The profile that applies to the caller. For a plugin, admins may view and edit an attribute without `permissions`.
 */
function profileFor(realm: Realm, { keepsUndeclaredAttributes }: CallerRights): UserProfile {
  const profile = profileOf(realm);
  if (!keepsUndeclaredAttributes) return profile;
  const permissions = { view: ['admin'], edit: ['admin'] };
  return {
    ...profile,
    attributes: profile.attributes.map((attribute) =>
      attribute.permissions ? attribute : { ...attribute, permissions },
    ),
  };
}

/** Merges attributes. Those that admins may not edit are left unchanged. */
function mergeAttributes(
  before: Readonly<Record<string, string[]>>,
  input: Readonly<Record<string, string[]>>,
  realm: Realm,
  caller: CallerRights,
): Record<string, string[]> {
  const { attributes, unmanagedAttributePolicy } = profileFor(realm, caller);
  const managed = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const allowsUndeclared =
    caller.keepsUndeclaredAttributes ||
    unmanagedAttributePolicy === 'ENABLED' ||
    unmanagedAttributePolicy === 'ADMIN_EDIT';
  const preserved = Object.entries(before).filter(([name]) => {
    const attribute = managed.get(name);
    return attribute === undefined ? !allowsUndeclared : isReadOnly(attribute) && !Object.hasOwn(input, name);
  });
  const accepted = Object.entries(input).filter(([name]) => allowsUndeclared || managed.has(name));
  return Object.fromEntries([...preserved, ...accepted]);
}

function attributesOf(input: NonNullable<UserInput['attributes']>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => !isRootAttribute(name) && name !== '__proto__')
      .map(([name, value]): [string, string[]] => [
        name,
        [value].flat().filter((text): text is string => typeof text === 'string' && text !== ''),
      ])
      .filter(([, values]) => values.length > 0),
  );
}
