import { HostError } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { retryLater } from '../../model/retry-later.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { checkedError, checkedResult } from './answers.js';
import { type CallCounts, type CallResult, countResult, emptyCallCounts, recordFailure } from './call-counts.js';
import { CallLimit } from './call-limit.js';
import type { HostSession } from './host-session.js';

/** A provider call that is observed for tracing. */
export interface ObservedCall {
  /** Runs the call in the observer's context. */
  run<T>(call: () => T): T;
  /** Called once, with the result. */
  recordEnd(end: CallResult): void;
}

/** Identifies a called method of a provider, and the realm of the call. */
export interface CalledProvider {
  readonly provider: RegisteredProvider<unknown, unknown>;
  readonly method: string;
  readonly realm: string;
}

/** Called after each call that failed through a fault of the provider or its worker. */
export type OnFailedCall = (calledProvider: CalledProvider, end: CallResult, error: unknown) => void;

/** Called before each call of a provider, to observe it. */
export type ObserveCall = (
  provider: RegisteredProvider<unknown, unknown>,
  method: string,
  realm: string,
) => ObservedCall;

type Method = (...args: unknown[]) => unknown;

/**
 * Enforces limits per provider and realm, on concurrent calls and on their duration. Calls in one realm use up no other
 * realm's quota.
 */
export class ProviderCalls {
  /** The host's maximum duration of a call, in milliseconds. */
  readonly limitMs: number;
  /** Names of the in-process plugins that were called. TamperingWatch reads and clears them. */
  readonly calledPlugins = new Set<string>();
  /** The number of actions that were refused for lack of a right, keyed by plugin and right. */
  readonly deniedRights = new Map<string, { readonly plugin: string; readonly right: string; count: number }>();
  readonly #observe: ObserveCall | undefined;
  readonly #onFailed: OnFailedCall | undefined;
  readonly #limits = new Map<number, CallLimit>();
  readonly #counts = new Map<string, Map<string, CallCounts>>();

  /**
   * @param limitMs the host's time limit of a call, in milliseconds; that of a plugin may be shorter, never longer
   * @param observe wraps the calls for tracing; undefined if it is off
   */
  constructor(limitMs: number, observe?: ObserveCall, onFailed?: OnFailedCall) {
    this.limitMs = limitMs;
    this.#observe = observe;
    this.#onFailed = onFailed;
  }

  /** Counts an action that was refused for lack of a right. */
  recordDenial(plugin: string, right: string): void {
    const key = `${plugin} ${right}`;
    const counted = this.deniedRights.get(key) ?? { plugin, right, count: 0 };
    counted.count += 1;
    this.deniedRights.set(key, counted);
  }

  *counts(): Iterable<CallCounts> {
    for (const countsByRealm of this.#counts.values()) yield* countsByRealm.values();
  }

  /** Returns the counts of a provider in a realm since the start; undefined if it was not called. */
  countsOf(provider: string, realm: string): CallCounts | undefined {
    return this.#counts.get(provider)?.get(realm);
  }

  /** Returns the provider's methods. Each call of them is counted and limited. */
  guardProvider<P>(registeredProvider: RegisteredProvider<unknown, P>, provider: P, session: HostSession): P {
    const counts = this.#ensureCounts(`${registeredProvider.spi.id}/${registeredProvider.id}`, session.realm.name);
    const { required = [], optional = [] } = registeredProvider.methods;
    const guardedMethods: Record<string, Method> = Object.create(null);
    for (const name of [...required, ...optional]) {
      const method = (provider as Record<string, Method> | undefined)?.[name];
      if (typeof method !== 'function' && !required.includes(name)) continue;
      guardedMethods[name] = (...args) =>
        this.#call(counts, registeredProvider, name, args, session, () => {
          if (typeof method !== 'function') throw missingMethodError(registeredProvider, provider, name);
          return method.apply(provider, args);
        });
    }
    return guardedMethods as P;
  }

  /**
   * Calls a method, with its limits, and counts the result.
   * @throws HostError `provider_busy` (503), `not_cloneable` or `provider_shape` (500), and any error of the provider.
   * If the method returns a promise, only `provider_busy` is thrown at once; a timeout rejects with `provider_timeout`
   * (504)
   */
  #call(
    counts: CallCounts,
    registeredProvider: RegisteredProvider<unknown, unknown>,
    method: string,
    args: readonly unknown[],
    session: HostSession,
    call: () => unknown,
  ): unknown {
    const { limits } = registeredProvider.plugin;
    const storeFailure = (end: CallResult, error: string) =>
      recordFailure(counts, { at: session.clock.now(), method, end, error });
    if (limits !== undefined && counts.running >= limits.concurrency) {
      countResult(counts, 'busy');
      storeFailure('busy', 'provider_busy');
      throw retryLater('provider_busy', 'Too many calls of this provider are under way', 1);
    }
    const startedAt = performance.now();
    counts.running += 1;
    if (registeredProvider.plugin.isolation === 'none') this.calledPlugins.add(registeredProvider.plugin.name);
    const observed = this.#observe?.(registeredProvider, method, session.realm.name);
    let isOver = false;
    const endCall = (end: CallResult) => {
      if (isOver) return;
      isOver = true;
      counts.running -= 1;
      counts.seconds += (performance.now() - startedAt) / 1000;
      countResult(counts, end);
      observed?.recordEnd(end);
    };
    const checkAnswer = <T>(answer: T): T => {
      // For all other SPIs, a stream is validated like any other result.
      if (registeredProvider.spi.answers === 'unread' && isStream(answer)) {
        session.onEnd(() => endCall('stream'));
        return answer;
      }
      const checkedAnswer = checkedResult(registeredProvider, method, answer);
      counts.wrongShape = undefined;
      endCall('ok');
      return checkedAnswer;
    };
    const failCall = (thrown: unknown): never => {
      const error = checkedError(registeredProvider, method, thrown);
      if (codeOf(error) === 'provider_shape') counts.wrongShape = messageOf(error);
      const end = resultOfError(error);
      if (end !== 'refused' && !isOver) {
        storeFailure(end, codeOf(error) ?? classNameOf(error));
        this.#onFailed?.({ provider: registeredProvider, method, realm: session.realm.name }, end, error);
      }
      endCall(end);
      throw error;
    };
    let answer: unknown;
    try {
      answer = observed === undefined ? call() : observed.run(call);
      if (!isPromise(answer)) return checkAnswer(answer);
    } catch (error) {
      return failCall(error);
    }
    // A call whose argument is a stream may last as long as the stream, until the session ends.
    const isStreamed = isStream(args[0]);
    if (isStreamed) session.onEnd(() => endCall('stream'));
    const limitedAnswer = isStreamed
      ? answer
      : this.#callLimitFor(limits?.callTimeout).watch(answer, () => session.abort());
    return limitedAnswer.then(checkAnswer).catch(failCall);
  }

  #callLimitFor(seconds = Number.POSITIVE_INFINITY): CallLimit {
    const ms = Math.min(seconds * 1000, this.limitMs);
    let limit = this.#limits.get(ms);
    if (limit === undefined) {
      limit = new CallLimit(ms);
      this.#limits.set(ms, limit);
    }
    return limit;
  }

  #ensureCounts(provider: string, realm: string): CallCounts {
    let countsByRealm = this.#counts.get(provider);
    if (countsByRealm === undefined) {
      countsByRealm = new Map();
      this.#counts.set(provider, countsByRealm);
    }
    let counts = countsByRealm.get(realm);
    if (counts === undefined) {
      counts = emptyCallCounts(provider, realm);
      countsByRealm.set(realm, counts);
    }
    return counts;
  }
}

function classNameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

/** Returns the result that an error stands for. Errors are recognised by their members, not by their class. */
function resultOfError(error: unknown): CallResult {
  const { code, status, expose, grpcStatus } = (error ?? {}) as Record<string, unknown>;
  if (code === 'provider_timeout') return 'timeout';
  if (code === 'plugin_unavailable') return 'unavailable';
  const isRefused = typeof grpcStatus === 'string' || (expose === true && typeof status === 'number' && status < 500);
  return isRefused ? 'refused' : 'failed';
}

/** Creates the error for a required method that the created provider does not have. */
function missingMethodError(
  { spi, id, plugin }: RegisteredProvider<unknown, unknown>,
  provider: unknown,
  name: string,
): HostError {
  const methodNames = Object.keys((provider ?? {}) as object).filter((key) => key !== 'close');
  const suggestion = didYouMean(name, methodNames);
  const hint = suggestion === undefined ? '' : `; it returned ${suggestion}: did you mean ${name}?`;
  return new HostError('provider_shape', `${plugin.name}: create of ${spi.id}/${id} returned no method ${name}${hint}`);
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}
