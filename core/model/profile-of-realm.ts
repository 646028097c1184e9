import type { Realm } from './realm.js';
import { type UserProfile, userProfileOf } from './user-profile.js';

const PROFILE = Symbol('user profile');

/** The user profile of a realm, parsed once per version of the realm. */
export function profileOf(realm: Realm): UserProfile {
  return realm.derive(PROFILE, () => userProfileOf(realm.representation));
}
