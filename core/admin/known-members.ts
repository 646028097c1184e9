import { KEYCLOAK_MEMBERS } from '../realms/export/keycloak-members.js';
import { AdminError } from './admin.js';

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

/** @param schema of the body: what Keyhost has beside Keycloak @throws AdminError 400 in Keycloak's words */
export function requireKnownMembers({ name, members }: StrictRepresentation, schema: object, body: unknown): void {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  const { properties = {} } = schema as { properties?: object };
  const unknown = Object.keys(body).find((member) => !members.has(member) && !Object.hasOwn(properties, member));
  if (unknown === undefined) return;
  const field = JSON.stringify(unknown.slice(0, 64));
  throw new AdminError(400, { error: `Invalid json representation for ${name}. Unrecognized field ${field}` });
}
