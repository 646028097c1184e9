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
import { type AttributeMistake, attributeMistakes, isReadOnly } from '../../users/profile/check-profile.js';
import { fillDefaults, withDefaults } from '../../users/profile/default-values.js';
import { mistakeForPrograms } from '../../users/profile/mistake-for-programs.js';
import type { PluginValidators } from '../../users/profile/plugin-validators.js';
import { type Admin, AdminError, badRequest } from '../admin.js';
import type { UserInput } from './user-input.js';

type ByCaller = Pick<Admin, 'keepsUndeclaredAttributes'>;

/**
 * Writes a request into a user: absent members stay; sent attributes replace all existing ones.
 * @param draft of a new user it still has the username ''
 * @param actions the existing required actions: others are dropped, because no user could complete them
 * @param caller determines whether the user may have attributes that the realm's user profile does not declare
 * @throws AdminError 400, also for violations of the realm's user profile
 */
export function applyUserInput(
  draft: UserRepresentation,
  sent: UserInput,
  realm: Realm,
  actions: ReadonlySet<string>,
  caller: ByCaller,
): void {
  const isNew = draft.username === '';
  // A filled-in default is not a change, even in an attribute that admins may not edit.
  const before = withDefaults(realm, attributeValues({ ...draft }));
  for (const key of ['firstName', 'lastName'] as const) put(draft, key, sent[key]);
  for (const key of ['enabled', 'emailVerified'] as const) {
    const flag = sent[key];
    if (typeof flag === 'boolean') draft[key] = flag;
  }
  put(draft, 'email', sent.email?.trim().toLowerCase());
  applyUsername(draft, sent.username?.trim().toLowerCase(), realm, isNew);
  if (sent.requiredActions)
    draft.requiredActions = [...new Set(sent.requiredActions)].filter((one) => actions.has(one));
  if (sent.attributes)
    draft.attributes = newAttributes(draft.attributes ?? {}, attributesOf(sent.attributes), realm, caller);
  // Enabling a user again ends a permanent lockout.
  if (sent.enabled === true && draft.attributes?.[DISABLED_REASON]?.[0] === PERMANENT_LOCKOUT)
    delete draft.attributes[DISABLED_REASON];
  if (draft.serviceAccountClientId !== undefined) return;
  fillDefaults(draft, realm);
  const after = attributeValues(draft);
  refuse(attributeMistakes(profileFor(realm, caller), before, after, new Patterns(realm.name), isNew));
}

/**
 * Runs the validators of plugins on an admin's change of a user. Unchanged attributes, and those that admins cannot
 * edit, are left out.
 * @param before undefined for a new user
 * @throws AdminError 400; ProfileUnavailable
 */
export async function requireValid(
  validators: PluginValidators,
  realm: Realm,
  before: User | undefined,
  after: UserRepresentation,
): Promise<void> {
  if (after.serviceAccountClientId !== undefined) return;
  const values = attributeValues(after);
  const known = before && attributeValues(before.representation);
  const names = profileOf(realm)
    .attributes.filter((one) => !isReadOnly(one) && !isDeepStrictEqual(values(one.name), known?.(one.name)))
    .map(({ name }) => name);
  refuse(await validators.mistakes(realm, { context: 'USER_API', names, values, user: before?.view }));
}

/** @throws AdminError 400 */
function refuse(mistakes: readonly AttributeMistake[]): void {
  const [only, ...others] = mistakes.map(shown);
  if (only !== undefined) throw new AdminError(400, others.length === 0 ? only : { errors: [only, ...others] });
}

function applyUsername(draft: UserRepresentation, sent: string | undefined, realm: Realm, isNew: boolean): void {
  const { registrationEmailAsUsername, editUsernameAllowed } = realm.representation;
  const byEmail = registrationEmailAsUsername === true && draft.serviceAccountClientId === undefined;
  const username = byEmail && draft.email ? draft.email : isNew ? sent : (sent ?? draft.username);
  if (username === undefined || username === '') throw badRequest('User name is missing');
  if (username === draft.username.toLowerCase()) return;
  if (draft.serviceAccountClientId !== undefined)
    throw badRequest('The name of a service account goes with its client');
  if (!isNew && !byEmail && editUsernameAllowed !== true) {
    throw new AdminError(
      400,
      shown({ attribute: 'username', message: 'error-user-attribute-read-only', parameters: [] }),
    );
  }
  draft.username = username;
}

/** In English, like all texts of the Admin REST API. */
const shown = (mistake: AttributeMistake) => mistakeForPrograms(mistake, 'en');

function put(draft: UserRepresentation, key: 'email' | 'firstName' | 'lastName', value: string | null | undefined) {
  if (value === '') delete draft[key];
  else if (typeof value === 'string') draft[key] = value;
}

/** Paths in the body of the required actions without a provider. */
export function droppedActions({ requiredActions }: UserInput, actions: ReadonlySet<string>): JsonPath[] {
  return (requiredActions ?? []).flatMap((one, index) =>
    one === '' || actions.has(one) ? [] : [['requiredActions', index]],
  );
}

/** Paths in the body of the attributes that the realm's user profile does not allow. */
export function droppedAttributes(
  sent: UserInput,
  before: UserRepresentation['attributes'],
  realm: Realm,
  caller: ByCaller,
): JsonPath[] {
  const given = attributesOf(sent.attributes ?? {});
  const kept = newAttributes(before ?? {}, given, realm, caller);
  return Object.keys(given)
    .filter((name) => !isDeepStrictEqual(kept[name], given[name]))
    .map((name) => ['attributes', name]);
}

/** The realm's profile. For a plugin, an attribute without `permissions` is open like an undeclared one. */
function profileFor(realm: Realm, { keepsUndeclaredAttributes }: ByCaller): UserProfile {
  const profile = profileOf(realm);
  if (!keepsUndeclaredAttributes) return profile;
  const permissions = { view: ['admin'], edit: ['admin'] };
  return { ...profile, attributes: profile.attributes.map((one) => (one.permissions ? one : { ...one, permissions })) };
}

/** Merges attributes; those that admins may not edit stay unchanged. */
function newAttributes(
  before: Readonly<Record<string, string[]>>,
  sent: Readonly<Record<string, string[]>>,
  realm: Realm,
  caller: ByCaller,
): Record<string, string[]> {
  const { attributes, unmanagedAttributePolicy } = profileFor(realm, caller);
  const managed = new Map(attributes.map((attribute) => [attribute.name, attribute]));
  const isOpen =
    caller.keepsUndeclaredAttributes ||
    unmanagedAttributePolicy === 'ENABLED' ||
    unmanagedAttributePolicy === 'ADMIN_EDIT';
  const kept = Object.entries(before).filter(([name]) => {
    const attribute = managed.get(name);
    return attribute === undefined ? !isOpen : isReadOnly(attribute) && !Object.hasOwn(sent, name);
  });
  const taken = Object.entries(sent).filter(([name]) => isOpen || managed.has(name));
  return Object.fromEntries([...kept, ...taken]);
}

function attributesOf(sent: NonNullable<UserInput['attributes']>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name]) => !isRootAttribute(name) && name !== '__proto__')
      .map(([name, value]): [string, string[]] => [
        name,
        [value].flat().filter((one): one is string => typeof one === 'string' && one !== ''),
      ])
      .filter(([, values]) => values.length > 0),
  );
}
