import { KEYCLOAK_MEMBERS } from '../realms/export/keycloak-members.js';
import { AdminError } from './admin.js';
import type { AdminOperation } from './operation.js';

/** A representation of Keycloak that is read to the letter: a member that neither Keycloak nor Keyhost has is refused. */
export interface StrictRepresentation {
  /** Keycloak's name of it. */
  readonly name: string;
  readonly members: ReadonlySet<string>;
}

/** Members of older Keycloaks that 26.7.3 still reads, and takes no notice of. */
const OLD_REALM = [
  ...['social', 'updateProfileOnInitialSocialLogin', 'socialProviders', 'applications', 'oauthClients'],
  ...['applicationScopeMappings', 'passwordCredentialGrantAllowed', 'clientTemplates'],
];

export const REALM_MEMBERS: StrictRepresentation = {
  name: 'RealmRepresentation',
  members: new Set([...KEYCLOAK_MEMBERS.realm, ...OLD_REALM]),
};
export const USER_MEMBERS: StrictRepresentation = {
  name: 'UserRepresentation',
  members: new Set([...KEYCLOAK_MEMBERS.user, 'applicationRoles', 'rawAttributes']),
};
export const EVENTS_CONFIG_MEMBERS: StrictRepresentation = {
  name: 'RealmEventsConfigRepresentation',
  members: new Set(),
};

/**
 * @param realm a realm keeps members of its file that neither knows: they are shown, and what is shown may be sent back
 * @throws AdminError 400 in Keycloak's words
 */
export function requireKnownMembers(
  { strict, body: schema = {} }: Pick<AdminOperation, 'strict' | 'body'>,
  body: unknown,
  realm: object,
): void {
  if (strict === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const { properties = {} } = schema as { properties?: object };
  const kept = strict === REALM_MEMBERS ? realm : {};
  const unknown = Object.keys(body).find(
    (member) => !strict.members.has(member) && !Object.hasOwn(properties, member) && !Object.hasOwn(kept, member),
  );
  if (unknown === undefined) return;
  const field = JSON.stringify(unknown.slice(0, 64));
  throw new AdminError(400, { error: `Invalid json representation for ${strict.name}. Unrecognized field ${field}` });
}
