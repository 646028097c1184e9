import { AsyncResource } from 'node:async_hooks';
import { HostError, type ProviderMethods, type Session, type Spi } from '@keyhost/spi';
import type { Opening } from './frames.js';
import { splitArguments } from './live-arguments.js';
import { ReadStream } from './read-stream.js';
import type { SupervisedWorker } from './supervised-worker.js';
import type { WorkerThread } from './worker-thread.js';

/** The data that all providers of a definition share. */
export interface RemoteDefinition {
  readonly worker: SupervisedWorker;
  readonly spi: Spi;
  /** `spi/id` */
  readonly key: string;
  /** The number of its factory. */
  readonly factory: number;
  readonly methods: ProviderMethods;
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** A provider for one session, whose methods run in a worker. */
export function remoteProvider(definition: RemoteDefinition, session: Session, realmConfig: unknown): Methods {
  const instance = new RemoteInstance(definition, session, realmConfig);
  const { required = [], optional = [] } = definition.methods;
  const methods: Methods = Object.create(null);
  methods.close = () => instance.close();
  for (const name of [...required, ...optional]) methods[name] = (...args) => instance.call(name, args);
  return methods;
}

class RemoteInstance {
  readonly #definition: RemoteDefinition;
  readonly #session: Session;
  readonly #realmConfig: unknown;
  readonly #calls = new Set<number>();
  readonly #streams = new Set<ReadStream>();
  /** The thread of its instance; undefined before its first call. */
  #at: { readonly thread: WorkerThread; readonly id: number } | undefined;
  /** The methods of the provider; undefined before its first answer. */
  #has: ReadonlySet<string> | undefined;

  constructor(definition: RemoteDefinition, session: Session, realmConfig: unknown) {
    this.#definition = definition;
    this.#session = session;
    this.#realmConfig = realmConfig;
  }

  /** @throws HostError `plugin_unavailable` (503), `session_closed`, and any error of the provider */
  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#has !== undefined && !this.#has.has(method)) return this.#instead(method, args);
    const crossing = splitArguments(this.#definition.spi, args);
    const { thread, id } = this.#place();
    // Sent with every call until one is answered, because a call that failed in transit has not reached the worker.
    const opening = this.#has === undefined ? this.#opening() : undefined;
    // It takes 0.2 µs; AsyncLocalStorage.snapshot takes 10 µs, because it supports `destroy` hooks, which are not
    // needed here.
    const here = new AsyncResource('keyhost.call', { requireManualDestroy: true });
    const within = <T>(work: () => T) => here.runInAsyncScope(work);
    const { id: call, answer } = thread.call(id, method, crossing.args, {
      opening,
      served: { session: this.#session, live: crossing.live, within },
      onMethods: (names) => {
        this.#has = new Set(names as string[]);
      },
    });
    this.#calls.add(call);
    try {
      const value = await answer;
      if (value instanceof ReadStream) this.#streams.add(value);
      return this.#has?.has(method) === false ? this.#instead(method, args) : value;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Returns the thread of the instance, assigned on its first call. @throws HostError `plugin_unavailable` (503) */
  #place(): { readonly thread: WorkerThread; readonly id: number } {
    if (this.#at === undefined) {
      const { worker } = this.#definition;
      this.#at = { thread: worker.thread(), id: worker.newInstance() };
      this.#session.signal.addEventListener('abort', () => this.#abort(), { once: true });
    }
    return this.#at;
  }

  #opening(): Opening {
    const { realm, remoteAddress } = this.#session;
    return { factory: this.#definition.factory, realm, remoteAddress, realmConfig: this.#realmConfig };
  }

  /** Called when the session has ended. */
  async close(): Promise<void> {
    if (this.#at === undefined) return;
    const { thread, id } = this.#at;
    try {
      if (this.#has?.has('close') && thread.down === undefined) await thread.call(id, 'close', []).answer;
    } finally {
      thread.forget(id);
    }
  }

  /** Runs the SPI's replacement of a method that the provider leaves out. */
  #instead(method: string, args: readonly unknown[]): unknown {
    const { required = [], instead = {} } = this.#definition.methods;
    if (required.includes(method)) {
      const { worker, key } = this.#definition;
      throw new HostError('provider_shape', `${worker.module}: create of ${key} returned no method ${method}`);
    }
    const own: Methods = Object.create(null);
    for (const name of required) own[name] = (...given) => this.call(name, given);
    return (instead[method] as ((provider: Methods, ...given: unknown[]) => unknown) | undefined)?.(own, ...args);
  }

  /** Aborts all calls, because the session has ended or one of its calls was aborted. */
  #abort(): void {
    if (this.#at === undefined) return;
    const { thread, id } = this.#at;
    const over = new HostError('session_closed', 'the session has ended');
    let isUnderWay = this.#calls.size > 0;
    for (const stream of this.#streams) isUnderWay = stream.fail(over) || isUnderWay;
    if (isUnderWay) thread.abandon(id, [...this.#calls], over);
  }
}
