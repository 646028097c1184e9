import { token } from '../di/token.js';
import type { Store as HostStore } from './store.js';

/** What survives a restart. The host opens one in its data directory where it is given none. */
export type Store = HostStore;
export const Store = token<HostStore>('Store');
