import { groupName } from '../../model/group-path.js';
import type { ClientRepresentation, RealmRepresentation } from '../../model/representation.js';
import { Unanswered } from '../../realms/client-policies/answers.js';
import type { ClientChange, Updater } from '../../realms/client-policies/client-policy-events.js';
import { compilePolicies } from '../../realms/client-policies/policies.js';
import type { PolicyEvaluation } from '../../realms/client-policies/policy-evaluation.js';
import { type EditEffects, noEffects } from '../../realms/edit-effects.js';
import { realmBusyError } from '../../realms/realm-busy.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { AdminCall } from '../operation.js';

/** A client that was created or changed in a draft of its realm. */
interface ChangedClient {
  /** The client in the draft. */
  readonly client: ClientRepresentation;
  /** A copy of the client before the change. Absent for a new client. */
  readonly before?: ClientRepresentation;
  readonly sent: ClientChange['sent'];
  readonly updater: Updater;
  readonly keepRegistrationToken?: () => void;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Applies the realm's client policies to a client: they may change or reject it. Returns undefined if no plugin has to
 * be awaited.
 * @throws OAuthError 400, with Keycloak's text; 503 if a plugin fails
 */
export function applyClientPolicies(
  draft: RealmRepresentation,
  plugins: PolicyEvaluation,
  change: ChangedClient,
): Promise<void> | undefined {
  const event = change.before === undefined ? 'REGISTER' : 'UPDATE';
  return compilePolicies(draft)?.change({ ...change, event, realm: draft }, plugins);
}

/**
 * Applies the policies to a renewed secret: they decide what happens to the previous one.
 * @throws OAuthError as `applyClientPolicies`
 */
export function applySecretRotation(
  draft: RealmRepresentation,
  plugins: PolicyEvaluation,
  change: Omit<ChangedClient, 'sent'>,
): Promise<void> | undefined {
  return compilePolicies(draft)?.onSecretRenewed({ ...change, sent: {}, event: 'UPDATE', realm: draft }, plugins);
}

type Change<T> = (draft: RealmRepresentation, effects: EditEffects) => T | Promise<T>;

/**
 * Maximum number of attempts while the change needs more answers of plugins, for example because its client has
 * changed.
 */
const MAX_ATTEMPTS = 10;

/**
 * Edits a realm by a change that runs client policies. Plugins are never called inside the edit, because it locks the
 * realm. If the change needs an answer that is not known yet, the edit is aborted. The change then runs on a copy of
 * the realm, which calls the plugins, before the edit is tried again.
 * @param plugins the plugins that the change calls
 * @throws HostError `realm_busy` (503) if the change still needs new answers after `MAX_ATTEMPTS`
 */
export async function editWithPolicies<T>(edits: RealmEdits, plugins: PolicyEvaluation, change: Change<T>): Promise<T> {
  const { name, representation } = plugins.realm;
  const callPlugins = (realm: RealmRepresentation) => change(structuredClone(realm), noEffects());
  let latest = representation;
  /** @returns undefined if the edit was aborted */
  const edit = async () => {
    try {
      const result = await edits.edit(name, (draft, effects, before) => {
        latest = before;
        return plugins.answers.withoutWaiting(() => change(draft, effects));
      });
      return { edited: result };
    } catch (error) {
      if (error instanceof Unanswered) return undefined;
      throw error;
    }
  };
  if (asksPlugins(representation)) await callPlugins(representation);
  const firstAttempt = await edit();
  if (firstAttempt !== undefined) return firstAttempt.edited;
  return plugins.runInTurn(async () => {
    for (let round = 1; round < MAX_ATTEMPTS; round += 1) {
      await callPlugins(latest);
      const attempt = await edit();
      if (attempt !== undefined) return attempt.edited;
    }
    throw realmBusyError();
  });
}

function asksPlugins(realm: RealmRepresentation): boolean {
  return compilePolicies(realm)?.asksPlugins === true;
}

/**
 * Returns the author of a change, as client policies see it: an admin, an application that acts as one, or a plugin.
 */
export function updaterOf({ admin: { assignments }, caller: { ip } }: Pick<AdminCall, 'admin' | 'caller'>): Updater {
  const { realmRoles = [], clientRoles = {}, groups = [] } = assignments;
  return {
    context: 'ByAuthenticatedUser',
    roles: [...realmRoles, ...Object.values(clientRoles).flat()],
    groups: groups.map(groupName),
    ip,
  };
}
