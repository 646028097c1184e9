import { HostError, type Logger } from '@keyhost/spi';
import type { Realm } from '../../model/realm.js';
import { shortened } from '../../model/shortened.js';
import { messageOf } from '../../model/thrown.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';

/** Characters of what a provider said that are told. */
const REASON_LIMIT = 300;

/**
 * Writes into the log what a provider threw, where who called it answers in general words. The host's own refuse by errors that
 * speak.
 */
export function tellFailedCall(
  logger: Logger,
  { spi, id, plugin }: Pick<RegisteredProvider<unknown, unknown>, 'spi' | 'id' | 'plugin'>,
  realm: Realm,
  error: unknown,
): void {
  if (plugin.builtin && error instanceof HostError) return;
  const fields = { plugin: plugin.name, provider: `${spi.id}/${id}`, realm: realm.name };
  logger.error('a call of a provider failed', { ...fields, reason: toldReason(error) });
}

export function toldReason(error: unknown): string {
  return shortened(messageOf(error), REASON_LIMIT);
}
