import { HostError, type Message } from '@keyhost/spi';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../../registry/loading/registered-provider.js';
import type { HostSession } from '../../registry/sessions/session.js';

/** A plugin's answer, which has its time. A built-in step waits for its turn as long as it takes, such as to hash a password. */
export function limitedAnswer<T>(
  session: HostSession,
  { plugin }: RegisteredProvider<unknown, unknown>,
  ask: () => Promise<T>,
): Promise<T> {
  return plugin.builtin ? ask() : session.limited(ask());
}

/**
 * The failure of a login that a plugin's step refuses by an error: users see its message, and the event has its code. The log
 * names the plugin.
 * @param what the line of the log
 * @throws the error itself if it is a fault of the plugin, or of a built-in step, whose errors the host knows
 */
export function asFailure(
  session: HostSession,
  registered: RegisteredProvider<unknown, unknown>,
  error: unknown,
  what = 'a step of a login threw an error, and the login failed',
): { readonly outcome: 'failure'; readonly error: string; readonly message: Message } {
  if (registered.plugin.builtin || !isExposed(error)) throw error;
  const code = codeOf(error) ?? 'access_denied';
  const { plugin, spi, id } = registered;
  session.logger.warn(what, {
    plugin: plugin.name,
    provider: `${spi.id}/${id}`,
    realm: session.compiledRealm.name,
    error: code,
    reason: messageOf(error),
  });
  return { outcome: 'failure', error: code, message: { key: messageOf(error) } };
}

/** The same error as a fault of the plugin, where it can refuse nobody. */
export function asFault({ plugin, spi, id }: RegisteredProvider<unknown, unknown>, error: unknown): unknown {
  if (plugin.builtin || !isExposed(error)) return error;
  const message = `${plugin.name}: ${spi.id}/${id} threw ${codeOf(error) ?? 'an error'}: ${messageOf(error)}`;
  return new HostError('unknown_error', message, { cause: error });
}

/** True for an error that its thrower lets callers read, and that is no fault of the host. */
function isExposed(error: unknown): boolean {
  const { expose, status } = (error ?? {}) as { readonly expose?: unknown; readonly status?: unknown };
  return expose === true && typeof status === 'number' && status < 500;
}
