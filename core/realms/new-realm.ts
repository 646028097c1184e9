import { setImmediate as turn } from 'node:timers/promises';
import type { JsonPath } from '../config/json/json-document.js';
import { removeMaskedSecrets } from '../config/realm-file/masked-secrets.js';
import { NameCompletion } from '../config/realm-file/name-completion.js';
import { convertOlderRealm } from '../config/realm-file/older/convert-older-realm.js';
import { type RealmChecks, realmProblemsInPieces } from '../config/realm-file/realm-problems.js';
import { addServiceAccountScopes } from '../config/realm-file/service-account-scopes.js';
import { moveAttributeSettings } from '../config/realm-file/settings-in-attributes.js';
import type { StaleMember } from '../config/realm-file/stale/rule.js';
import { defined } from '../model/defined.js';
import { listPieces, pathInList } from '../model/list-pieces.js';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import { missingProfiles } from './client-policies/mistakes.js';
import { newIdleMembersInPieces } from './idle-members.js';
import { RealmInvalid, referenceProblemsInPieces } from './realm-invalid.js';

/** A valid representation of a realm to create. */
export interface NewRealm {
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  /** The paths of members that were removed, or have no effect. */
  readonly ignored: readonly JsonPath[];
}

/**
 * Converts the representation of a new realm, which may be that of an older Keycloak, and validates it. Other requests
 * run while it reads many users.
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
  for await (const { items } of listPieces(draft.realm, draft.users)) completion.completeUsers(items, () => {});
  addServiceAccountScopes(draft, draft.users);
  const { users, ...representation } = draft as typeof draft & RealmRepresentation;
  const maskedPaths = removeMaskedSecrets(representation).map(({ path }) => path);
  for await (const { first, items } of listPieces(draft.realm, users)) {
    const removed = removeMaskedSecrets({ realm: draft.realm, users: items });
    maskedPaths.push(...removed.map(({ path }) => pathInList(path, 'users', first)));
  }
  await turn();
  const withRequestPath = <T extends { readonly path: JsonPath }>(problem: T): T => {
    const attribute = movedAttributes.get(String(problem.path[0]));
    return attribute === undefined ? problem : { ...problem, path: ['attributes', attribute] };
  };
  const found = await realmProblemsInPieces(draft, checks, isUnchanged);
  const problems = [...found, ...missingProfiles(draft)].map(withRequestPath);
  await turn();
  problems.push(...(await referenceProblemsInPieces(draft)));
  if (problems.length > 0) throw new RealmInvalid(problems);
  const idleMembers = await newIdleMembersInPieces(undefined, draft, checks);
  const membersWithoutEffect = [...stale, ...idleMembers].map(withRequestPath);
  return { representation, users, ignored: [...maskedPaths, ...membersWithoutEffect.map(({ path }) => path)] };
}
