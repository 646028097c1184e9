import type { Plugin } from '@keyhost/spi';
import type { RealmProviders as RealmProvidersOf } from '../model/realm-providers.js';
import { list, token } from './token.js';

/** Keyhost's built-in plugins, which use the same SPIs as others. */
export const BuiltInPlugins = list<Plugin>('BuiltInPlugins');
/** The registry of providers, for modules on which the registry itself depends. */
export const RealmProviders = token<RealmProvidersOf>('RealmProviders');
