import { groupName } from '../../model/group-path.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { Unanswered } from '../../realms/client-policies/answers.js';
import type { AskedPlugins } from '../../realms/client-policies/asked-plugins.js';
import type { ClientChange, Updater } from '../../realms/client-policies/happenings.js';
import { compilePolicies } from '../../realms/client-policies/policies.js';
import { busy, type EditEffects, noEffects, type RealmEdits } from '../../realms/realm-edits.js';
import type { AdminCall } from '../operation.js';

/** A client that was just made or changed in a draft of its realm. */
interface Changed {
  /** In the draft. */
  readonly client: ClientRepresentation;
  /** A copy of it as it was. Absent for a new one. */
  readonly before?: ClientRepresentation;
  readonly sent: ClientChange['sent'];
  readonly updater: Updater;
  readonly keepRegistrationToken?: () => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Has the realm's client policies put the client right, and judge it. Undefined: no plugin is to be waited for.
 * @throws OAuthError 400, in Keycloak's words; 503 where a plugin cannot judge it
 */
export function judgeClient(
  draft: RealmRepresentation,
  plugins: AskedPlugins,
  changed: Changed,
): Promise<void> | undefined {
  const event = changed.before === undefined ? 'REGISTER' : 'UPDATE';
  return compilePolicies(draft)?.change({ ...changed, event, realm: draft }, plugins);
}

/** Has the realm's client policies say what becomes of the secret that the client had before. @throws OAuthError as above */
export function keepSecretBefore(
  draft: RealmRepresentation,
  plugins: AskedPlugins,
  changed: Omit<Changed, 'sent'>,
): Promise<void> | undefined {
  return compilePolicies(draft)?.renewed({ ...changed, sent: {}, event: 'UPDATE', realm: draft }, plugins);
}

type Change<T> = (draft: RealmRepresentation, effects: EditEffects) => T | Promise<T>;

/** How often a change is tried while it has new questions, such as where its client has become another one. */
const ROUNDS = 10;

/**
 * Edits a realm by a change that judges a client. Nobody is asked within the edit, so that nobody waits for the realm: where a question
 * is new, the edit is left, the change is tried on a copy, which asks, and then the realm is edited again.
 * @param plugins those that the change asks
 * @throws HostError `realm_busy` (503) where there are new questions again and again
 */
export async function editJudged<T>(edits: RealmEdits, plugins: AskedPlugins, change: Change<T>): Promise<T> {
  const { name, representation } = plugins.realm;
  const askAbout = (realm: RealmRepresentation) => change(structuredClone(realm), noEffects());
  let found = representation;
  /** @returns undefined where the edit was left */
  const edit = async () => {
    try {
      const edited = await edits.edit(name, (draft, effects, before) => {
        found = before;
        return plugins.answers.byAnswers(() => change(draft, effects));
      });
      return { edited };
    } catch (error) {
      if (error instanceof Unanswered) return undefined;
      throw error;
    }
  };
  if (asksPlugins(representation)) await askAbout(representation);
  const done = await edit();
  if (done !== undefined) return done.edited;
  return plugins.inTurn(async () => {
    for (let round = 1; round < ROUNDS; round += 1) {
      await askAbout(found);
      const again = await edit();
      if (again !== undefined) return again.edited;
    }
    throw busy();
  });
}

function asksPlugins(realm: RealmRepresentation): boolean {
  return compilePolicies(realm)?.asksPlugins === true;
}

/** An admin, an application that acts as one, or a plugin. */
export function updaterOf({ admin: { assigned }, caller: { ip } }: Pick<AdminCall, 'admin' | 'caller'>): Updater {
  const { realmRoles = [], clientRoles = {}, groups = [] } = assigned;
  return {
    context: 'ByAuthenticatedUser',
    roles: [...realmRoles, ...Object.values(clientRoles).flat()],
    groups: groups.map(groupName),
    ip,
  };
}
