import { HostError } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { retryLater } from '../../model/retry-later.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { checkedError, checkedResult } from './answers.js';
import { type CallCounts, type CallResult, count, emptyCallCounts, recordFailure } from './call-counts.js';
import { CallLimit } from './call-limit.js';
import type { HostSession } from './host-session.js';

/** A provider call, for tracing. */
export interface ObservedCall {
  /** Runs the call in the observer's context. */
  run<T>(call: () => T): T;
  /** Called once. */
  ended(end: CallResult): void;
}

/** Which method of a provider was called, and in which realm. */
export interface CalledProvider {
  readonly provider: RegisteredProvider<unknown, unknown>;
  readonly method: string;
  readonly realm: string;
}

/** Called after each call that failed by a fault of the provider or its worker. */
export type OnFailedCall = (called: CalledProvider, end: CallResult, error: unknown) => void;

/** Called before each call of a provider. */
export type AroundCall = (
  provider: RegisteredProvider<unknown, unknown>,
  method: string,
  realm: string,
) => ObservedCall;

type Method = (...args: unknown[]) => unknown;

/**
 * Enforces limits per provider and realm: concurrent calls and duration. Load in one realm uses up no other realm's
 * quota.
 */
export class ProviderCalls {
  /** The maximum duration of a call, in milliseconds. */
  readonly limitMs: number;
  /** Names of in-process plugins that were called. The watch for changed built-ins reads and clears it. */
  readonly called = new Set<string>();
  /** Number of refused actions for lack of a right, by plugin and right. */
  readonly deniedRights = new Map<string, { readonly plugin: string; readonly right: string; count: number }>();
  readonly #around: AroundCall | undefined;
  readonly #onFailed: OnFailedCall | undefined;
  readonly #limits = new Map<number, CallLimit>();
  readonly #counts = new Map<string, Map<string, CallCounts>>();

  /**
   * @param limitMs the host's own time limit of a call, in milliseconds: a plugin's may be shorter, never longer
   * @param around wraps the calls for tracing; undefined if it is off
   */
  constructor(limitMs: number, around?: AroundCall, onFailed?: OnFailedCall) {
    this.limitMs = limitMs;
    this.#around = around;
    this.#onFailed = onFailed;
  }

  /** Counts a refused action. */
  recordDenial(plugin: string, right: string): void {
    const key = `${plugin} ${right}`;
    const counted = this.deniedRights.get(key) ?? { plugin, right, count: 0 };
    counted.count += 1;
    this.deniedRights.set(key, counted);
  }

  *counts(): Iterable<CallCounts> {
    for (const ofProvider of this.#counts.values()) yield* ofProvider.values();
  }

  /** The calls of a provider in a realm since the start; undefined if there was none. */
  of(provider: string, realm: string): CallCounts | undefined {
    return this.#counts.get(provider)?.get(realm);
  }

  /** Returns the provider's methods with each call counted and limited. */
  guarded<P>(registered: RegisteredProvider<unknown, P>, provider: P, session: HostSession): P {
    const counts = this.#countsOf(`${registered.spi.id}/${registered.id}`, session.realm.name);
    const { required = [], optional = [] } = registered.methods;
    const guarded: Record<string, Method> = Object.create(null);
    for (const name of [...required, ...optional]) {
      const method = (provider as Record<string, Method> | undefined)?.[name];
      if (typeof method !== 'function' && !required.includes(name)) continue;
      guarded[name] = (...args) =>
        this.#call(counts, registered, name, args, session, () => {
          if (typeof method !== 'function') throw missingMethodError(registered, provider, name);
          return method.apply(provider, args);
        });
    }
    return guarded as P;
  }

  /**
   * @throws HostError `provider_busy` (503); the returned promise rejects with `provider_timeout` (504),
   * `not_cloneable` (500)
   */
  #call(
    counts: CallCounts,
    registered: RegisteredProvider<unknown, unknown>,
    method: string,
    args: readonly unknown[],
    session: HostSession,
    call: () => unknown,
  ): unknown {
    const { limits } = registered.plugin;
    const noted = (end: CallResult, error: string) =>
      recordFailure(counts, { at: session.clock.now(), method, end, error });
    if (limits !== undefined && counts.running >= limits.concurrency) {
      count(counts, 'busy');
      noted('busy', 'provider_busy');
      throw retryLater('provider_busy', 'Too many calls of this provider are under way', 1);
    }
    const started = performance.now();
    counts.running += 1;
    if (registered.plugin.isolation === 'none') this.called.add(registered.plugin.name);
    const observed = this.#around?.(registered, method, session.realm.name);
    let isOver = false;
    const ended = (end: CallResult) => {
      if (isOver) return;
      isOver = true;
      counts.running -= 1;
      counts.seconds += (performance.now() - started) / 1000;
      count(counts, end);
      observed?.ended(end);
    };
    const answered = <T>(answer: T): T => {
      // For other SPIs a stream is checked like any other result.
      if (registered.spi.answers === 'unread' && isStream(answer)) {
        session.onEnd(() => ended('stream'));
        return answer;
      }
      const checked = checkedResult(registered, method, answer);
      counts.wrongShape = undefined;
      ended('ok');
      return checked;
    };
    const failed = (thrown: unknown): never => {
      const error = checkedError(registered, method, thrown);
      if (codeOf(error) === 'provider_shape') counts.wrongShape = messageOf(error);
      const end = callEndOf(error);
      if (end !== 'refused' && !isOver) {
        noted(end, codeOf(error) ?? classOf(error));
        this.#onFailed?.({ provider: registered, method, realm: session.realm.name }, end, error);
      }
      ended(end);
      throw error;
    };
    let answer: unknown;
    try {
      answer = observed === undefined ? call() : observed.run(call);
      if (!isPromise(answer)) return answered(answer);
    } catch (error) {
      return failed(error);
    }
    // A call with a stream as its argument may take as long as the stream, until the session ends.
    const isStreamed = isStream(args[0]);
    if (isStreamed) session.onEnd(() => ended('stream'));
    const limited = isStreamed ? answer : this.#limit(limits?.callTimeout).watch(answer, () => session.abort());
    return limited.then(answered).catch(failed);
  }

  #limit(seconds = Number.POSITIVE_INFINITY): CallLimit {
    const ms = Math.min(seconds * 1000, this.limitMs);
    let limit = this.#limits.get(ms);
    if (limit === undefined) {
      limit = new CallLimit(ms);
      this.#limits.set(ms, limit);
    }
    return limit;
  }

  #countsOf(provider: string, realm: string): CallCounts {
    let ofProvider = this.#counts.get(provider);
    if (ofProvider === undefined) {
      ofProvider = new Map();
      this.#counts.set(provider, ofProvider);
    }
    let counts = ofProvider.get(realm);
    if (counts === undefined) {
      counts = emptyCallCounts(provider, realm);
      ofProvider.set(realm, counts);
    }
    return counts;
  }
}

function classOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Errors are classified by their fields, as everywhere in the host. */
function callEndOf(error: unknown): CallResult {
  const { code, status, expose, grpcStatus } = (error ?? {}) as Record<string, unknown>;
  if (code === 'provider_timeout') return 'timeout';
  if (code === 'plugin_unavailable') return 'unavailable';
  const refused = typeof grpcStatus === 'string' || (expose === true && typeof status === 'number' && status < 500);
  return refused ? 'refused' : 'failed';
}

/** The methods of a provider are known once it was created. */
function missingMethodError(
  { spi, id, plugin }: RegisteredProvider<unknown, unknown>,
  provider: unknown,
  name: string,
): HostError {
  const there = Object.keys((provider ?? {}) as object).filter((key) => key !== 'close');
  const near = didYouMean(name, there);
  const hint = near === undefined ? '' : `; it returned ${near}: did you mean ${name}?`;
  return new HostError('provider_shape', `${plugin.name}: create of ${spi.id}/${id} returned no method ${name}${hint}`);
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}
