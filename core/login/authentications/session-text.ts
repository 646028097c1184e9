import type { HostAuthenticationSession } from '../authentication-sessions.js';
import type { AuthenticationPlace } from './shelf.js';

type Lists = 'done' | 'passedFlows' | 'credentialTypes' | 'actions' | 'passed';

/** What is written of an authentication session: not what its browser's cookie says, which is proof of being that browser. */
export type WrittenSession = Omit<HostAuthenticationSession, Lists | 'rootId' | 'tabId' | 'carried'> & {
  readonly done: readonly (readonly [execution: string, outcome: 'success' | 'attempted'])[];
} & Readonly<Record<Exclude<Lists, 'done'>, readonly string[]>>;

/** An authentication session as JSON can hold it. */
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
  // A node of an earlier version knows no passed flows.
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
