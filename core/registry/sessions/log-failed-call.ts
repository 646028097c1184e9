import { HostError, type Logger } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { shorten } from '../../model/shortened.js';
import { messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';

/** Maximum number of characters of a provider's error message in the log. */
const MAX_REASON_LENGTH = 300;

/**
 * Logs the error of a provider if the caller of the API gets a general message instead. A HostError of a built-in
 * provider is not logged, because its message is returned.
 */
export function logFailedCall(
  logger: Logger,
  { spi, id, plugin }: Pick<RegisteredProvider<unknown, unknown>, 'spi' | 'id' | 'plugin'>,
  realm: Realm,
  error: unknown,
): void {
  if (plugin.builtin && error instanceof HostError) return;
  const fields = { plugin: plugin.name, provider: `${spi.id}/${id}`, realm: realm.name };
  logger.error('a call of a provider failed', { ...fields, reason: shortenReason(error) });
}

export function shortenReason(error: unknown): string {
  return shorten(messageOf(error), MAX_REASON_LENGTH);
}
