import type { Plugin } from '@keyhost/spi';
import type { RealmProviders as RealmProvidersOf } from '../model/realm-providers.js';
import { list, token } from './token.js';

/** Keyhost's own providers, which implement the same SPIs as those of plugins. */
export const BuiltInPlugins = list<Plugin>('BuiltInPlugins');
/** Lets modules on which the registry depends call providers. The registry implements it. */
export const RealmProviders = token<RealmProvidersOf>('RealmProviders');
