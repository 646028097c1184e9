import { lock, type Operation, RollBack } from '../engine/operation.js';
import type { Fence } from '../fence.js';

const FENCE_LOST = 'the fence is lost';
const SELECT_FENCE = 'SELECT value FROM entries WHERE realm = $1 AND namespace = $2 AND entry_key = $3';

/**
 * Checks that the caller holds the fence, and locks it until the transaction ends. Otherwise the operation is rolled
 * back.
 */
export function* requireFence({ realm, namespace, key, token }: Fence): Operation<void> {
  const row = yield* lock<{ value: string }>(SELECT_FENCE, realm, namespace, key);
  if (row === undefined || (JSON.parse(row.value) as { token?: unknown }).token !== token)
    throw new RollBack({ [FENCE_LOST]: true });
}

/** True if an operation was rolled back because of its fence. */
export function isFenceLost(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && FENCE_LOST in answer;
}
