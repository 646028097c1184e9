import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationSessionKey } from './authentication-session-store.js';

type CollectionMember = 'done' | 'passedFlows' | 'credentialTypes' | 'actions' | 'passed';

/**
 * An authentication session as it is stored. It lacks the value of the browser's cookie, which would let a reader
 * impersonate the browser.
 */
export type SerializedSession = Omit<
  HostAuthenticationSession,
  CollectionMember | 'rootId' | 'tabId' | 'encryptedSession'
> & {
  readonly done: readonly (readonly [execution: string, outcome: 'success' | 'attempted'])[];
} & Readonly<Record<Exclude<CollectionMember, 'done'>, readonly string[]>>;

/** Returns the session in a form that JSON can represent. */
export function serializeSession(session: HostAuthenticationSession): SerializedSession {
  const { rootId: _root, tabId: _tab, encryptedSession: _encrypted, ...stored } = session;
  const { done, passedFlows, credentialTypes, actions, passed, ...members } = stored;
  return {
    ...members,
    done: [...done],
    passedFlows: [...passedFlows],
    credentialTypes: [...credentialTypes],
    actions: [...actions],
    passed: [...passed],
  };
}

export function deserializeSession(
  stored: SerializedSession,
  { rootId, tabId }: AuthenticationSessionKey,
): HostAuthenticationSession {
  // Nodes of an earlier version write no `passedFlows`.
  const { done, passedFlows = [], credentialTypes, actions, passed, ...members } = stored;
  return {
    ...members,
    rootId,
    tabId,
    done: new Map(done),
    passedFlows: new Set(passedFlows),
    credentialTypes: new Set(credentialTypes),
    actions: new Set(actions),
    passed: new Set(passed),
  };
}
