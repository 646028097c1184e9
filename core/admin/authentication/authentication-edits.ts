import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { AdminCall } from '../operation.js';
import { refuseEscalation, snapshotPrivileges } from '../refuse-escalation.js';
import {
  type AuthenticatorConfig,
  completeConfigs,
  completeFlows,
  configsToStore,
  type Execution,
  type Flow,
  flowsToStore,
} from './complete-flows.js';

/** The parts of a realm that an edit of its flows may change. All three are copies. */
export interface AuthenticationDraft {
  flows: Flow[];
  configs: AuthenticatorConfig[];
  readonly realm: RealmRepresentation;
}

/**
 * Changes the flows of a realm and the configurations of their steps in one checked, atomic write.
 * @throws HostError `realm_invalid` (400), also if no user could sign in after the change; 403 if the caller could gain
 * rights by the change
 */
export function editAuthentication<T>(
  edits: RealmEdits,
  { realm, admin }: Pick<AdminCall, 'realm' | 'admin'>,
  change: (draft: AuthenticationDraft) => T,
): Promise<T> {
  return edits.edit(realm.name, (draft) => {
    const authentication: AuthenticationDraft = {
      flows: completeFlows(realm.id, draft),
      configs: completeConfigs(realm.id, draft),
      realm: draft,
    };
    const before = snapshotPrivileges(admin, withFlows(authentication));
    const result = change(authentication);
    draft.authenticationFlows = flowsToStore(realm.id, draft, authentication.flows);
    draft.authenticatorConfig = configsToStore(realm.id, draft, authentication.configs);
    refuseEscalation(admin, before, withFlows(authentication));
    return result;
  });
}

/**
 * Returns the realm with all flows, including those that are not stored, so that executions have the same IDs before
 * and after an edit.
 */
function withFlows({ realm, flows, configs }: AuthenticationDraft): RealmRepresentation {
  return { ...realm, authenticationFlows: flows, authenticatorConfig: configs };
}

/** Removes the configurations of removed executions, unless another execution uses them. */
export function removeUnusedConfigs(draft: AuthenticationDraft, removedExecutions: readonly Execution[]): void {
  const remainingExecutions = draft.flows.flatMap(({ authenticationExecutions }) => authenticationExecutions);
  const usedAliases = new Set(remainingExecutions.map(({ authenticatorConfig }) => authenticatorConfig));
  const removedAliases = new Set(removedExecutions.map(({ authenticatorConfig }) => authenticatorConfig));
  draft.configs = draft.configs.filter(({ alias }) => usedAliases.has(alias) || !removedAliases.has(alias));
}
