import { HostError, type Message } from '@keyhost/spi';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { HostSession } from '../../registry/sessions/host-session.js';

/**
 * Calls a provider, with a time limit if it is a plugin's. Built-in providers have no limit, because they may wait in a
 * queue, for example to hash a password.
 */
export function withTimeLimit<T>(
  session: HostSession,
  { plugin }: RegisteredProvider<unknown, unknown>,
  call: () => Promise<T>,
): Promise<T> {
  return plugin.builtin ? call() : session.withTimeLimit(call());
}

/**
 * Turns an error for callers (`expose`, with a status below 500), by which a plugin's provider refuses the login, into
 * a failure. Users see its message, the event has its code, and the log has the plugin's name.
 * @throws the error itself if it is any other error, or a built-in provider threw it
 */
export function asFailure(
  session: HostSession,
  registered: RegisteredProvider<unknown, unknown>,
  error: unknown,
  logMessage = 'a step of a login threw an error, and the login failed',
): { readonly outcome: 'failure'; readonly error: string; readonly message: Message } {
  if (registered.plugin.builtin || !isExposed(error)) throw error;
  const code = codeOf(error) ?? 'access_denied';
  const { plugin, spi, id } = registered;
  session.logger.warn(logMessage, {
    plugin: plugin.name,
    provider: `${spi.id}/${id}`,
    realm: session.compiledRealm.name,
    error: code,
    reason: messageOf(error),
  });
  return { outcome: 'failure', error: code, message: { key: messageOf(error) } };
}

/** Turns an error for callers into a fault of the plugin, for calls that cannot refuse a login. */
export function toPluginFault({ plugin, spi, id }: RegisteredProvider<unknown, unknown>, error: unknown): unknown {
  if (plugin.builtin || !isExposed(error)) return error;
  const message = `${plugin.name}: ${spi.id}/${id} threw ${codeOf(error) ?? 'an error'}: ${messageOf(error)}`;
  return new HostError('unknown_error', message, { cause: error });
}

/** True if the thrower exposes the error to callers, and it is not a server error. */
function isExposed(error: unknown): boolean {
  const { expose, status } = (error ?? {}) as { readonly expose?: unknown; readonly status?: unknown };
  return expose === true && typeof status === 'number' && status < 500;
}
