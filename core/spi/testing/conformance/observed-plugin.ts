import { AsyncLocalStorage } from 'node:async_hooks';
import type { Plugin, ProviderDefinition, Spi } from '../../plugin.js';
import type { Session } from '../../session.js';
import type { ReturnAddress } from '../../spis/authenticator.js';
import { memberOf } from '../thrown.js';
import { operationNames } from './operation-names.js';
import { asReceived, uncloneableReason } from './uncloneable.js';

type Method = (...args: unknown[]) => unknown;

/** The methods of a plugin under test that were called, and the rules of the contract that it broke. */
export class Observations {
  readonly calledMethods = new Set<string>();
  readonly presentMethods = new Set<string>();
  readonly brokenRules = new Set<string>();
  /** The number of calls of `close`, for each factory and provider that has it. */
  readonly closeCounts = new Map<object, { readonly owner: string; count: number }>();
  readonly currentSession = new AsyncLocalStorage<Session>();
  /** The return addresses of redirects, by the URL of the redirect. */
  readonly returnAddresses = new Map<string, ReturnAddress>();

  recordBroken(sentence: string): void {
    this.brokenRules.add(sentence);
  }
}

/** Returns the plugin with providers of the SPI that get copies of all arguments and whose calls are recorded. */
export function observePlugin(plugin: Plugin, spi: Spi, seen: Observations): Plugin {
  const providers = plugin.providers.map((definition) =>
    definition.spi.id === spi.id ? observeDefinition(definition, seen) : definition,
  );
  return { ...plugin, providers };
}

function observeDefinition(definition: ProviderDefinition, seen: Observations): ProviderDefinition {
  const { id } = definition;
  return {
    ...definition,
    async open(config, host) {
      const factory = await definition.open(config, host);
      return {
        ...(typeof factory.close === 'function' ? { close: countCloses(factory, `${id}: the factory`, seen) } : {}),
        create(session, realmConfig) {
          const watched = watchSession(session, id, seen);
          const provider = seen.currentSession.run(watched, () => factory.create(watched, realmConfig));
          if (typeof provider !== 'object' || provider === null || provider instanceof Promise) {
            seen.recordBroken(`${id}: create must return the provider itself, at once`);
            return provider;
          }
          return watchProvider(provider, definition, watched, seen);
        },
      };
    },
  };
}

function countCloses(owner: object, ownerName: string, seen: Observations): () => Promise<void> {
  const closeCount = { owner: ownerName, count: 0 };
  seen.closeCounts.set(closeCount, closeCount);
  return async () => {
    closeCount.count += 1;
    await (owner as { close(): unknown }).close();
  };
}

function watchProvider(provider: object, definition: ProviderDefinition, session: Session, seen: Observations): object {
  const methods = new Map<string | symbol, Method>();
  for (const name of namesOf(provider)) seen.presentMethods.add(`${definition.id} ${name}`);
  return new Proxy(provider, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name === 'symbol') return value;
      let method = methods.get(name);
      if (method === undefined) {
        const isClose = name === 'close' && !isOperation(definition, name);
        method = isClose
          ? countCloses(target, `${definition.id}: a provider`, seen)
          : watchMethod((...args) => value.apply(target, args), `${definition.id} ${name}`, definition, session, seen);
        methods.set(name, method);
      }
      return method;
    },
  });
}

function watchMethod(
  method: Method,
  name: string,
  { spi }: ProviderDefinition,
  session: Session,
  seen: Observations,
): Method {
  const checkValue = <T>(value: T): T => {
    const reason = uncloneableReason(value, 'its answer');
    if (reason !== undefined) seen.recordBroken(`${name}: values must be plain: ${reason}`);
    return value;
  };
  const checkError = (error: unknown): never => {
    const reason = errorProblem(error);
    if (reason !== undefined) seen.recordBroken(`${name}: ${reason}`);
    throw error;
  };
  return (...args) => {
    seen.calledMethods.add(name);
    let answer: unknown;
    try {
      answer = seen.currentSession.run(session, () => method(...args.map(asReceived)));
    } catch (error) {
      seen.recordBroken(`${name}: it throws before it returns a promise: make it async`);
      throw error;
    }
    if (isAsyncIterable(answer))
      return watchIterable(answer, checkValue, checkError, (run) => seen.currentSession.run(session, run));
    if (!(answer instanceof Promise)) {
      // The contract of a mapper also allows results without a promise.
      if (spi.id !== 'protocol-mapper') seen.recordBroken(`${name}: it must return a promise, not ${typeof answer}`);
      return checkValue(answer);
    }
    return answer.then((value) => {
      recordReturn(value, args[0], seen);
      return checkValue(value);
    }, checkError);
  };
}

/** Records the return address in the context of a step that redirects. */
function recordReturn(answer: unknown, context: unknown, seen: Observations): void {
  const returnTo = memberOf(context, 'returnTo');
  if (memberOf(answer, 'outcome') !== 'redirect' || returnTo === undefined) return;
  seen.returnAddresses.set(String(memberOf(answer, 'to')), returnTo as ReturnAddress);
}

/**
 * Runs each call of the iterator in the context of the provider's call, since the body of a generator runs in `next`.
 */
async function* watchIterable(
  answers: AsyncIterable<unknown>,
  checkValue: <T>(value: T) => T,
  rethrow: (error: unknown) => never,
  runInCall: <T>(run: () => T) => T,
): AsyncIterable<unknown> {
  const iterator = runInCall(() => answers[Symbol.asyncIterator]());
  try {
    for (;;) {
      const { done, value } = await runInCall(() => iterator.next()).catch(rethrow);
      if (done) return;
      yield checkValue(value);
    }
  } finally {
    await runInCall(async () => iterator.return?.());
  }
}

/** Members of a session that have methods. */
const SERVICES: ReadonlySet<PropertyKey> = new Set([
  'users',
  'clients',
  'groups',
  'roles',
  'credentials',
  'sessions',
  'identityProviders',
  'admin',
  'events',
  'store',
  'actionTokens',
  'loginLinks',
]);

/** Wraps a session to check that it is only used during its call. */
function watchSession(session: Session, id: string, seen: Observations): Session {
  const watched: Session = new Proxy(session, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === 'function') return wrapMethod(value.bind(target), `session.${String(name)}`);
      if (!SERVICES.has(name)) return value;
      const methods = Object.entries(value as Record<string, Method>);
      return Object.fromEntries(
        methods.map(([key, method]) => [key, wrapMethod(method, `session.${String(name)}.${key}`)]),
      );
    },
  });
  const wrapMethod =
    (method: Method, name: string): Method =>
    async (...args) => {
      const current = seen.currentSession.getStore();
      if (current !== undefined && current !== watched)
        seen.recordBroken(`${id}: ${name} of another call's session was used`);
      try {
        return await method(...args);
      } catch (error) {
        if (memberOf(error, 'code') === 'session_closed') {
          seen.recordBroken(`${id}: ${name} was used after the call had ended`);
        }
        throw error;
      }
    };
  return watched;
}

/**
 * Describes the mistake in a thrown value; undefined for an error with the fields of a response. Any other error is a
 * mistake of the provider.
 */
function errorProblem(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return `it threw ${String(error)}, which is not an Error`;
  const status = memberOf(error, 'status');
  if (memberOf(error, 'expose') !== true)
    return `it failed: ${String(memberOf(error, 'message'))}${serverAdvice(error)}`;
  if (typeof memberOf(error, 'code') !== 'string') return 'an error that it exposes has no `code`';
  if (!Number.isInteger(status) || Number(status) < 400 || Number(status) > 599) {
    return 'an error that it exposes has no `status` from 400 to 599';
  }
  return undefined;
}

/** Returns advice if the provider called a server that the test has not started. */
function serverAdvice(error: object): string {
  const isUnreachable =
    String(memberOf(error, 'code')).startsWith('outbound_') ||
    // The error of the global `fetch`.
    memberOf(error, 'message') === 'fetch failed' ||
    ['ECONNREFUSED', 'ENOTFOUND'].includes(String(memberOf(error, 'code')));
  return isUnreachable
    ? ': pass the address of a server that your test starts, as `config`, `realmConfig` or `settings`'
    : '';
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function isOperation({ declaration }: ProviderDefinition, name: string): boolean {
  return operationNames(declaration).includes(name);
}

function namesOf(provider: object): string[] {
  const names: string[] = [];
  for (
    let current = provider;
    current !== Object.prototype && current !== null;
    current = Object.getPrototypeOf(current)
  ) {
    names.push(...Object.getOwnPropertyNames(current));
  }
  return names.filter((name) => typeof (provider as Record<string, unknown>)[name] === 'function');
}
