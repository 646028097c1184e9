import { AsyncLocalStorage } from 'node:async_hooks';
import type { Plugin, ProviderDefinition, Spi } from '../../plugin.js';
import type { Session } from '../../session.js';
import type { ReturnAddress } from '../../spis/authenticator.js';
import { memberOf } from '../thrown.js';
import { operationNames } from './operation-names.js';
import { asReceived, uncloneable } from './uncloneable.js';

type Method = (...args: unknown[]) => unknown;

/** The methods of a plugin under test that were called, and the rules of the contract that it broke. */
export class Observations {
  readonly called = new Set<string>();
  readonly present = new Set<string>();
  readonly broken = new Set<string>();
  /** Factories and providers that have a `close`, with the number of its calls. */
  readonly closes = new Map<object, { readonly what: string; count: number }>();
  readonly current = new AsyncLocalStorage<Session>();
  /** The return addresses of redirects, by the URL of the redirect. */
  readonly returns = new Map<string, ReturnAddress>();

  breaks(sentence: string): void {
    this.broken.add(sentence);
  }
}

/**
 * Returns the plugin with observed providers of the SPI: they get copies of all arguments, and their calls are
 * recorded.
 */
export function observed(plugin: Plugin, spi: Spi, seen: Observations): Plugin {
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
          const provider = seen.current.run(watched, () => factory.create(watched, realmConfig));
          if (typeof provider !== 'object' || provider === null || provider instanceof Promise) {
            seen.breaks(`${id}: create must return the provider itself, at once`);
            return provider;
          }
          return watchProvider(provider, definition, watched, seen);
        },
      };
    },
  };
}

function countCloses(owner: object, what: string, seen: Observations): () => Promise<void> {
  const record = { what, count: 0 };
  seen.closes.set(record, record);
  return async () => {
    record.count += 1;
    await (owner as { close(): unknown }).close();
  };
}

function watchProvider(provider: object, definition: ProviderDefinition, session: Session, seen: Observations): object {
  const methods = new Map<string | symbol, Method>();
  for (const name of namesOf(provider)) seen.present.add(`${definition.id} ${name}`);
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
    const reason = uncloneable(value, 'its answer');
    if (reason !== undefined) seen.breaks(`${name}: values must be plain: ${reason}`);
    return value;
  };
  const checkError = (error: unknown): never => {
    const reason = errorProblem(error);
    if (reason !== undefined) seen.breaks(`${name}: ${reason}`);
    throw error;
  };
  return (...args) => {
    seen.called.add(name);
    let answer: unknown;
    try {
      answer = seen.current.run(session, () => method(...args.map(asReceived)));
    } catch (error) {
      seen.breaks(`${name}: it throws before it returns a promise: make it async`);
      throw error;
    }
    if (isAsyncIterable(answer))
      return watchIterable(answer, checkValue, checkError, (run) => seen.current.run(session, run));
    if (!(answer instanceof Promise)) {
      // Its contract allows both.
      if (spi.id !== 'protocol-mapper') seen.breaks(`${name}: it must return a promise, not ${typeof answer}`);
      return checkValue(answer);
    }
    return answer.then((value) => {
      recordReturn(value, args[0], seen);
      return checkValue(value);
    }, checkError);
  };
}

/** Records the return address of a step's redirect, from its context. */
function recordReturn(answer: unknown, context: unknown, seen: Observations): void {
  const returnTo = memberOf(context, 'returnTo');
  if (memberOf(answer, 'outcome') !== 'redirect' || returnTo === undefined) return;
  seen.returns.set(String(memberOf(answer, 'to')), returnTo as ReturnAddress);
}

/** Runs each step of the generator in the context of the call: a generator's body runs when `next` is called. */
async function* watchIterable(
  answers: AsyncIterable<unknown>,
  checked: <T>(value: T) => T,
  failed: (error: unknown) => never,
  within: <T>(run: () => T) => T,
): AsyncIterable<unknown> {
  const iterator = within(() => answers[Symbol.asyncIterator]());
  try {
    for (;;) {
      const { done, value } = await within(() => iterator.next()).catch(failed);
      if (done) return;
      yield checked(value);
    }
  } finally {
    await within(async () => iterator.return?.());
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

/** Returns the session with a check that it is only used during its call. */
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
      const current = seen.current.getStore();
      if (current !== undefined && current !== watched)
        seen.breaks(`${id}: ${name} of another call's session was used`);
      try {
        return await method(...args);
      } catch (error) {
        if (memberOf(error, 'code') === 'session_closed') {
          seen.breaks(`${id}: ${name} was used after the call had ended`);
        }
        throw error;
      }
    };
  return watched;
}

/**
 * Describes the mistake in an error. An error with a response has the fields for it; any other error is a mistake of
 * the provider.
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

/** Advice if the provider called a server that no test has started. */
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
