import type { HostError } from '@keyhost/spi';
import { retryLater } from '../model/retry-later.js';

/** The error for a change that repeatedly loses to changes of other requests (503). */
export function realmBusyError(): HostError {
  return retryLater('realm_busy', 'Another request is changing the realm. Try again.', 1);
}
