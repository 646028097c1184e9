import type { Operation } from '../engine/operation.js';
import type { Fence } from '../fence.js';
import { actionTokenOperations } from './action-tokens.js';
import { changeOperations } from './changes.js';
import { commitOperations } from './commit.js';
import { counterOperations } from './counters.js';
import { entryOperations } from './entries.js';
import { eventOutboxOperations } from './event-outbox.js';
import { eventOperations } from './events.js';
import { familyOperations } from './families.js';
import { requireFence } from './fenced.js';
import { keyOperations } from './keys.js';
import { markOperations } from './marks.js';
import { realmOperations } from './realm-operations.js';
import { sessionOperations } from './sessions/session-operations.js';
import { statisticsOperations } from './statistics.js';
import { sweepOperations } from './sweep.js';
import { ticketOperations } from './tickets.js';
import { userLoadOperations } from './user-loads.js';
import { signInOperations } from './users/sign-ins.js';
import { userOperations } from './users/user-operations.js';

const unfencedOperations = {
  ...realmOperations,
  ...userLoadOperations,
  ...userOperations,
  ...signInOperations,
  ...keyOperations,
  ...sessionOperations,
  ...familyOperations,
  ...ticketOperations,
  ...markOperations,
  ...counterOperations,
  ...eventOperations,
  ...eventOutboxOperations,
  ...entryOperations,
  ...actionTokenOperations,
  ...statisticsOperations,
  ...changeOperations,
  ...commitOperations,
  ...sweepOperations,
};

export type UnfencedName = keyof typeof unfencedOperations;

/** All writes, by name. */
export const operations = {
  ...unfencedOperations,

  /** A write that is only made while the caller holds the fence. */
  *fenced(fence: Fence, name: UnfencedName, parameters: readonly unknown[]): Operation<unknown> {
    yield* requireFence(fence);
    return yield* (unfencedOperations[name] as (...given: readonly unknown[]) => Operation<unknown>)(...parameters);
  },
};

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type OperationArguments<Name extends OperationName> = Parameters<Operations[Name]>;
export type OperationResult<Name extends OperationName> =
  ReturnType<Operations[Name]> extends Operation<infer Result> ? Result : never;

/** Returns an operation that has not begun. */
export function operationOf(name: OperationName, parameters: readonly unknown[]): Operation<unknown> {
  return (operations[name] as (...parameters: readonly unknown[]) => Operation<unknown>)(...parameters);
}
