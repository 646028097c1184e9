import { lock, type Operation, Undo } from '../engine/operation.js';
import type { Fence } from '../fence.js';

const LOST = 'the fence is lost';
const SELECT = 'SELECT value FROM entries WHERE realm = $1 AND namespace = $2 AND entry_key = $3';

/** Continues only if the caller holds the fence, and locks it until the transaction ends. */
export function* holdFence({ realm, namespace, key, token }: Fence): Operation<void> {
  const row = yield* lock<{ value: string }>(SELECT, realm, namespace, key);
  if (row === undefined || (JSON.parse(row.value) as { token?: unknown }).token !== token)
    throw new Undo({ [LOST]: true });
}

/** Whether an operation was refused by its fence. */
export function isFenceLost(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && LOST in answer;
}
