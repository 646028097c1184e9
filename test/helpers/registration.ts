import type { RealmRepresentation } from '../../core/model/representation.js';
import { codeRealm } from './code-realm.js';
import type { TestHost } from './host.js';

const PASSWORD = 'Newcomer-pass-1!';
/** The input of a new user. */
export const NEWCOMER = {
  username: 'Newcomer',
  email: 'New@Comer.test',
  firstName: 'New',
  lastName: 'Comer',
  password: PASSWORD,
  'password-confirm': PASSWORD,
};
const PROFILE = 'org.keycloak.userprofile.UserProfileProvider';

/** The test realm with registration enabled. */
export function openRealm(changes: Partial<RealmRepresentation> = {}, name = 'demo'): RealmRepresentation {
  return codeRealm(name, { registrationAllowed: true, providers: {}, ...changes });
}

/** A realm's user profile: username, email address and these attributes. */
export function userProfile(attributes: object[], more: object = {}): Partial<RealmRepresentation> {
  const own = { permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] } };
  const config = { attributes: [{ name: 'username', ...own }, { name: 'email', ...own }, ...attributes], ...more };
  const text = [JSON.stringify(config)];
  return {
    components: { [PROFILE]: [{ providerId: 'declarative-user-profile', config: { 'kc.user.profile.config': text } }] },
  };
}

export async function storedUser(host: TestHost, username: string) {
  return (await host.users.byUsername(await host.loadedRealm(host.defaultRealm), username))?.representation;
}

/** The errors of the events whose type has this prefix; empty for a success. */
export async function eventErrors(host: TestHost, type: string): Promise<string[]> {
  return (await host.stored(host.defaultRealm))
    .filter((one) => one.type.startsWith(type))
    .map((one) => one.error ?? '');
}
