import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationPlace } from './shelf.js';

type Lists = 'done' | 'passedFlows' | 'credentialTypes' | 'actions' | 'passed';

/**
 * The stored part of an authentication session. It excludes the value of the browser's cookie, which would let a reader
 * impersonate the browser.
 */
export type WrittenSession = Omit<HostAuthenticationSession, Lists | 'rootId' | 'tabId' | 'carried'> & {
  readonly done: readonly (readonly [execution: string, outcome: 'success' | 'attempted'])[];
} & Readonly<Record<Exclude<Lists, 'done'>, readonly string[]>>;

/** Returns the session in a form that JSON can represent. */
export function writtenSession(session: HostAuthenticationSession): WrittenSession {
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

export function readSession(
  written: WrittenSession,
  { rootId, tabId }: AuthenticationPlace,
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
