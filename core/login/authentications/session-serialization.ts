import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationSessionKey } from './authentication-session-store.js';

type Lists = 'done' | 'passedFlows' | 'credentialTypes' | 'actions' | 'passed';

/**
 * The stored part of an authentication session. It excludes the value of the browser's cookie, which would let a reader
 * impersonate the browser.
 */
export type SerializedSession = Omit<HostAuthenticationSession, Lists | 'rootId' | 'tabId' | 'carried'> & {
  readonly done: readonly (readonly [execution: string, outcome: 'success' | 'attempted'])[];
} & Readonly<Record<Exclude<Lists, 'done'>, readonly string[]>>;

/** Returns the session in a form that JSON can represent. */
export function serializeSession(session: HostAuthenticationSession): SerializedSession {
  const { rootId: _root, tabId: _tab, carried: _carried, ...written } = session;
  const { done, passedFlows, credentialTypes, actions, passed, ...rest } = written;
  return {
    ...rest,
    done: [...done],
    passedFlows: [...passedFlows],
    credentialTypes: [...credentialTypes],
    actions: [...actions],
    passed: [...passed],
  };
}

export function deserializeSession(
  written: SerializedSession,
  { rootId, tabId }: AuthenticationSessionKey,
): HostAuthenticationSession {
  // Nodes of an earlier version write no `passedFlows`.
  const { done, passedFlows = [], credentialTypes, actions, passed, ...rest } = written;
  return {
    ...rest,
    rootId,
    tabId,
    done: new Map(done),
    passedFlows: new Set(passedFlows),
    credentialTypes: new Set(credentialTypes),
    actions: new Set(actions),
    passed: new Set(passed),
  };
}
