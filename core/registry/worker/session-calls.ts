import { HostError, type OutboundRequest, type Session, type Spi } from '@keyhost/spi';
import { CALL_LIVE, callLive, type LiveArguments } from './live-arguments.js';

/** A session of the host that a provider in a worker calls remotely. */
export interface RemoteSession {
  readonly session: Session;
  /** The functions in the arguments of the latest call that stay in the host. */
  readonly liveArguments: LiveArguments;
  /**
   * Runs the worker's calls in the async context of the latest call. So they belong to its trace, and to the change
   * with which its event is stored.
   */
  readonly runInCallContext: <T>(work: () => T) => T;
}

/** The description of a provider that a plugin has looked up, as plain data. */
export interface FoundProviderDescription {
  readonly id: string;
  readonly declaration: unknown;
  readonly methods: readonly string[];
}

type SessionCall = (served: RemoteSession, ...args: never[]) => Promise<unknown>;

/** All session methods that a worker may call. */
const SESSION_CALLS: Readonly<Record<string, SessionCall>> = {
  'users.byId': ({ session }, id: string) => session.users.byId(id),
  'users.byUsername': ({ session }, username: string) => session.users.byUsername(username),
  'users.isAdmin': ({ session }, id: string) => session.users.isAdmin(id),
  'clients.byClientId': ({ session }, clientId: string) => session.clients.byClientId(clientId),
  'events.emit': ({ session }, event: Parameters<Session['events']['emit']>[0]) => session.events.emit(event),
  'store.get': ({ session }, key: string) => session.store.get(key),
  'store.put': ({ session }, ...args: Parameters<Session['store']['put']>) => session.store.put(...args),
  'store.claim': ({ session }, ...args: Parameters<Session['store']['claim']>) => session.store.claim(...args),
  'store.replace': ({ session }, ...args: Parameters<Session['store']['replace']>) => session.store.replace(...args),
  'store.list': ({ session }, ...args: Parameters<Session['store']['list']>) => session.store.list(...args),
  'store.delete': ({ session }, key: string) => session.store.delete(key),
  'mail.send': ({ session }, mail: Parameters<Session['mail']['send']>[0]) => session.mail.send(mail),
  'metrics.add': ({ session }, ...args: Parameters<Session['metrics']['add']>) => session.metrics.add(...args),
  'metrics.set': ({ session }, ...args: Parameters<Session['metrics']['set']>) => session.metrics.set(...args),
  'metrics.observe': ({ session }, ...args: Parameters<Session['metrics']['observe']>) =>
    session.metrics.observe(...args),
  'outbound.request': ({ session }, request: OutboundRequest) => session.outbound.request(request),
  'background.wake': ({ session }, spi: string, id: string, part?: string) =>
    session.background.wake({ id: spi }, id, part),
  'actionTokens.issue': ({ session }, request: Parameters<Session['actionTokens']['issue']>[0]) =>
    session.actionTokens.issue(request),
  'loginLinks.issue': ({ session }, request: Parameters<Session['loginLinks']['issue']>[0]) =>
    session.loginLinks.issue(request),
  'admin.request': ({ session }, ...args: Parameters<Session['admin']['request']>) => session.admin.request(...args),
  'credentials.verify': ({ session }, ...args: Parameters<Session['credentials']['verify']>) =>
    session.credentials.verify(...args),
  'ownCredentials.list': ({ session }, type: string) => session.ownCredentials.list(type),
  'ownCredentials.verify': ({ session }, ...args: Parameters<Session['ownCredentials']['verify']>) =>
    session.ownCredentials.verify(...args),
  'ownCredentials.create': ({ session }, ...args: Parameters<Session['ownCredentials']['create']>) =>
    session.ownCredentials.create(...args),
  'ownCredentials.remove': ({ session }, type: string, id: string) => session.ownCredentials.remove(type, id),
  authenticate: ({ session }) => session.authenticate(),
  tokenRequest: ({ session }, form: Readonly<Record<string, string>>) => session.tokenRequest(form),
  providers: async ({ session }, spi: string) =>
    (await session.providers({ id: spi } as Spi)).map(({ id, declaration, provider }) => {
      return { id, declaration, methods: Object.keys(provider as object) } satisfies FoundProviderDescription;
    }),
  'providers.call': ({ session }, ...call: readonly [string, string, string, readonly unknown[]]) =>
    callFoundProvider(session, ...call),
  [CALL_LIVE]: ({ liveArguments }, name: string, ...args: readonly unknown[]) => callLive(liveArguments, name, args),
};

/**
 * Calls a method of a session.
 * @throws HostError `session_closed` if the session has ended, and any error of the session
 */
export async function callSession(session: RemoteSession | undefined, method: string, args: readonly unknown[]) {
  if (session === undefined) throw new HostError('session_closed', 'the session has ended');
  const call = Object.hasOwn(SESSION_CALLS, method) ? SESSION_CALLS[method] : undefined;
  if (call === undefined) throw new HostError('session_method_unknown', `a session has no ${method}`);
  return session.runInCallContext(() => call(session, ...(args as never[])));
}

async function callFoundProvider(session: Session, spi: string, id: string, method: string, args: readonly unknown[]) {
  const foundProvider = (await session.providers({ id: spi } as Spi)).find((candidate) => candidate.id === id);
  const methods = (foundProvider?.provider ?? {}) as Readonly<
    Record<string, (...given: readonly unknown[]) => unknown>
  >;
  if (!Object.hasOwn(methods, method)) throw new HostError('session_method_unknown', `${spi}/${id} has no ${method}`);
  return methods[method]?.(...args);
}
