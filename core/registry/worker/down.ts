import type { HostError } from '@keyhost/spi';
import { retryLater } from '../../model/retry-later.js';

/** The reason to replace a thread that still works. */
export type DegradedReason = 'memory' | 'overdue';

/** The reason why a thread ended. */
export type DownReason = 'crash' | 'exit' | 'hung' | 'protocol' | DegradedReason | 'closed';

/**
 * Creates the error for calls while a worker is down or busy.
 * @param retryAfter the value of `Retry-After`, in seconds
 */
export function unavailableError(message = 'The provider is not available at the moment', retryAfter = 1): HostError {
  return retryLater('plugin_unavailable', message, retryAfter);
}
