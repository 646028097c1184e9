import type { HostError } from '@keyhost/spi';
import { retryLater } from '../../model/retry-later.js';

/** Why a thread that still works is replaced. */
export type DegradedReason = 'memory' | 'overdue';

/** Why a thread ended. */
export type DownReason = 'crash' | 'exit' | 'hung' | 'protocol' | DegradedReason | 'closed';

/** @param retryAfter the time in seconds */
export function unavailable(message = 'The provider is not available at the moment', retryAfter = 1): HostError {
  return retryLater('plugin_unavailable', message, retryAfter);
}
