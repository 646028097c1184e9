import type { Realm } from '../../model/realm.js';
import type { User } from '../../model/user.js';
import { type AuthenticationLevel, levelsOf } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import type { UserSessionRecord } from '../../store/store.js';
import { PLAIN_LEVEL } from '../../tokens/acr.js';
import type { CredentialTypes } from '../../users/credentials/credential-types.js';
import type { HostAuthenticationSession } from '../authentication-sessions.js';

/** Keycloak's note of a user session: when each level was reached, in seconds since the epoch, as JSON. */
export const LEVELS_NOTE = 'loa-map';
/** The value for a login or session that has not reached any level. */
export const NO_LEVEL = -1;

/** The highest level that the session has reached. Neither that level nor one below it may be missing or expired. */
export function levelOfSession(
  levels: readonly AuthenticationLevel[],
  session: Pick<UserSessionRecord, 'notes'>,
  nowSeconds: number,
): number {
  const reached = reachedLevels(session);
  let highest = NO_LEVEL;
  for (const { level, maxAge } of levels) {
    const reachedAt = reached[level];
    if (reachedAt === undefined || reachedAt + maxAge < nowSeconds) break;
    highest = level;
  }
  return highest;
}

/** The user session's note after this login; undefined if the flow has no levels. */
export function levelsNote(authentication: HostAuthenticationSession, session?: UserSessionRecord): string | undefined {
  if (Object.keys(authentication.levels).length === 0) return undefined;
  return JSON.stringify({ ...(session === undefined ? {} : reachedLevels(session)), ...authentication.levels });
}

/**
 * The level that the authentication session has reached. If a client policy chose the flow, that is the policy's level.
 * A flow without levels counts as `PLAIN_LEVEL`, and single sign-on as 0.
 */
export function reachedLevel(authentication: HostAuthenticationSession): number {
  const { level = NO_LEVEL, bySession } = authentication;
  const policyLevel = levelOfPolicyFlow(authentication);
  if (policyLevel !== undefined) return policyLevel;
  if (level !== NO_LEVEL) return level;
  return bySession ? 0 : PLAIN_LEVEL;
}

/**
 * The level of the flow that a client policy has chosen; undefined if the user has not passed it. As in Keycloak, a
 * request with `prompt=none` has not run it; nor has a user who signed in at an identity provider or registered.
 */
function levelOfPolicyFlow({ flow, brokered, request }: HostAuthenticationSession): number | undefined {
  const hasRunFlow = flow === 'browser' && brokered === undefined && !request.prompts.includes('none');
  return hasRunFlow ? request.flow?.level : undefined;
}

/** The category of passwords and of credentials that replace them. */
const FIRST_FACTOR = 'basic-authentication';

/**
 * The level that users must reach before they change their credentials. If the flow has levels, a user with a second
 * factor must reach the highest one, for which a password alone is not enough.
 */
export function levelForCredentialChange(
  { types, realm, levels }: { types: CredentialTypes; realm: Realm; levels: readonly AuthenticationLevel[] },
  user: User | undefined,
): number {
  const isSecondFactor = (type: string) => (types.of(realm, type)?.category ?? FIRST_FACTOR) !== FIRST_FACTOR;
  const hasSecondFactor = user?.credentials.some(({ type }) => isSecondFactor(type)) ?? false;
  return hasSecondFactor ? (levels.at(-1)?.level ?? NO_LEVEL) : NO_LEVEL;
}

/** The highest level that the flow can reach. */
export function highestLevel(flow: readonly Execution[]): number {
  return levelsOf(flow).at(-1)?.level ?? PLAIN_LEVEL;
}

function reachedLevels({ notes }: Pick<UserSessionRecord, 'notes'>): Readonly<Record<string, number>> {
  return JSON.parse(notes[LEVELS_NOTE] ?? '{}') as Record<string, number>;
}
