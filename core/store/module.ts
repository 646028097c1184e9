import { token } from '../di/token.js';
import type { Store as HostStore } from './store.js';

/** The records that survive a restart. By default the host opens a store in its data directory. */
export type Store = HostStore;
export const Store = token<HostStore>('Store');
