import type { Plugin } from '@keyhost/spi';
import type { RealmProviders as RealmProvidersOf } from '../model/realm-providers.js';
import { list, token } from './token.js';

/** Keyhost's own providers, through the same SPI as anyone's. */
export const BuiltInPlugins = list<Plugin>('BuiltInPlugins');
/** Calls of providers by modules below the registry. The registry implements it. */
export const RealmProviders = token<RealmProvidersOf>('RealmProviders');
