import { setUserProfile, type UserProfile } from '../../model/user-profile.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { AdminOperation } from '../operation.js';
import { changeSettings, IGNORED_SETTINGS, SETTINGS_SCHEMA } from '../realms/change-settings.js';
import { type KnownPlugins, PROFILE_BODY, requireValidProfile } from '../users/user-profile-operations.js';
import { CONSOLE_TAG } from './console-tag.js';

export interface ConsoleRealmParts extends KnownPlugins {
  readonly edits: RealmEdits;
}

/** The operation with which the admin console saves a realm's settings and its user profile in one change. */
export function consoleRealmOperation(parts: ConsoleRealmParts): AdminOperation {
  const { edits } = parts;
  return {
    method: 'PUT',
    path: '/ui-ext',
    tag: CONSOLE_TAG,
    summary: 'Change settings of a realm, and with `upConfig` its user profile',
    roles: ['manage-realm'],
    ignoredMembers: IGNORED_SETTINGS,
    bodyIsRealm: true,
    body: { ...SETTINGS_SCHEMA, properties: { ...SETTINGS_SCHEMA.properties, upConfig: PROFILE_BODY } },
    answers: { status: 204 },
    event: { resourceType: 'REALM' },
    async handle({ realm, admin, body }) {
      const { upConfig, ...changes } = body as Record<string, unknown> & { readonly upConfig?: UserProfile };
      const profile = upConfig && requireValidProfile(realm.name, upConfig, parts);
      await edits.edit(realm.name, (draft) => {
        changeSettings(admin, draft, changes);
        if (profile !== undefined) setUserProfile(draft, profile);
      });
      return undefined;
    },
  };
}
