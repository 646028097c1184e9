import type { HostError } from '@keyhost/spi';
import { retryLater } from '../model/retry-later.js';

/** The error for a change that loses to changes of other requests again and again (503). */
export function realmBusy(): HostError {
  return retryLater('realm_busy', 'Another request is changing the realm. Try again.', 1);
}
