import { AsyncLocalStorage } from 'node:async_hooks';
import { HostError } from '@keyhost/spi';
import type { Writer } from './engine/engine.js';
import { isFenceLost } from './records/fenced.js';
import type { OperationArguments, OperationName, OperationResult, UnfencedName } from './records/operations.js';
import type { TransactionalEventScope } from './transactional-events.js';

/**
 * Identifies work that only one node does at a time: an entry whose `token` increases whenever a node takes over the
 * work.
 */
export interface Fence {
  readonly realm: string;
  readonly namespace: string;
  readonly key: string;
  readonly token: number;
}

/**
 * Checks the caller's fence in the transaction of each write. If a node was suspended and another node has taken over
 * its work, its later writes fail.
 *
 * The async storage is in use from the first fenced work on, and is never disabled again, because a late write may
 * still arrive.
 */
export class FencedWriter implements Writer {
  readonly transactionalEvents: TransactionalEventScope;
  readonly #writer: Writer;
  readonly #storage = new AsyncLocalStorage<Fence | undefined>();
  #isUsed = false;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.transactionalEvents = writer.transactionalEvents;
  }

  call<Name extends OperationName>(
    name: Name,
    ...parameters: OperationArguments<Name>
  ): Promise<OperationResult<Name>> {
    const fence = this.#isUsed ? this.#storage.getStore() : undefined;
    if (fence === undefined) return this.#writer.call(name, ...parameters);
    return this.#callFenced(fence, name as UnfencedName, parameters) as Promise<OperationResult<Name>>;
  }

  /**
   * Runs work whose writes are fenced.
   * @throws HostError `schedule_lost` from the first write after another node has taken the fence
   */
  run<T>(fence: Fence, work: () => Promise<T>): Promise<T> {
    this.#isUsed = true;
    return this.#storage.run(fence, work);
  }

  /** Runs work whose writes are not fenced. */
  runUnfenced<T>(work: () => Promise<T>): Promise<T> {
    return this.#isUsed ? this.#storage.run(undefined, work) : work();
  }

  async #callFenced(fence: Fence, name: UnfencedName, parameters: readonly unknown[]): Promise<unknown> {
    const answer = await this.#writer.call('fenced', fence, name, parameters);
    if (!isFenceLost(answer)) return answer;
    throw new HostError('schedule_lost', 'another node has taken this work on: what this one writes is refused', {
      status: 409,
      expose: false,
    });
  }
}
