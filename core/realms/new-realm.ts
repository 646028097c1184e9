import { setImmediate as turn } from 'node:timers/promises';
import type { JsonPath } from '../config/json/json-document.js';
import { removeMaskedSecrets } from '../config/realm-file/masked-secrets.js';
import { NameCompletion } from '../config/realm-file/name-completion.js';
import { convertOlderRealm } from '../config/realm-file/older/convert-older-realm.js';
import { type RealmChecks, realmProblems } from '../config/realm-file/realm-problems.js';
import { addServiceAccountScopes } from '../config/realm-file/service-account-scopes.js';
import { moveAttributeSettings } from '../config/realm-file/settings-in-attributes.js';
import type { StaleMember } from '../config/realm-file/stale/rule.js';
import { defined } from '../model/defined.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import { missingProfiles } from './client-policies/mistakes.js';
import { newIdleMembers } from './idle-members.js';
import { RealmInvalid, referenceProblems } from './realm-invalid.js';

/** A valid representation of a realm to create. */
export interface NewRealm {
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The paths of members that were removed, or have no effect. */
  readonly ignored: readonly JsonPath[];
}

/**
 * Converts the representation of a new realm, which may be that of an older Keycloak, and validates it. The steps take
 * long if there are many users, so other requests run between them.
 * @param requestedRealm matches the schema of realm files
 * @param removeStale removes or replaces members that Keyhost cannot use, and returns them
 * @throws HostError `realm_invalid` (400) with `problems`
 */
export async function prepareNewRealm(
  requestedRealm: RealmRepresentation,
  requestedUsers: readonly UserRepresentation[],
  checks: RealmChecks,
  removeStale: (realm: unknown) => readonly StaleMember[],
): Promise<NewRealm> {
  const draft = {
    ...requestedRealm,
    ...defined({ attributes: requestedRealm.attributes && { ...requestedRealm.attributes } }),
    users: [...requestedUsers],
  };
  const movedAttributes = moveAttributeSettings(draft);
  const stale = removeStale(draft);
  // A representation that was rewritten must be validated again.
  const isUnchanged = convertOlderRealm(draft).length === 0 && movedAttributes.size === 0 && stale.length === 0;
  const completion = new NameCompletion(draft);
  completion.complete(() => {});
  completion.completeUsers(draft.users, () => {});
  addServiceAccountScopes(draft, draft.users);
  const maskedPaths = removeMaskedSecrets(draft);
  const { users, ...representation } = draft as typeof draft & RealmRepresentation;
  await turn();
  const withRequestPath = <T extends { readonly path: JsonPath }>(problem: T): T => {
    const attribute = movedAttributes.get(String(problem.path[0]));
    return attribute === undefined ? problem : { ...problem, path: ['attributes', attribute] };
  };
  const problems = [...realmProblems(draft, checks, isUnchanged), ...missingProfiles(draft)].map(withRequestPath);
  await turn();
  problems.push(...referenceProblems(draft));
  if (problems.length > 0) throw new RealmInvalid(problems);
  const ignoredPaths = [
    ...maskedPaths,
    ...[...stale, ...newIdleMembers(undefined, draft, checks)].map(withRequestPath),
  ].map(({ path }) => path);
  return { representation, users, ignored: ignoredPaths };
}
