/** A plugin with an account page of subscriptions, stored in the plugin. The names of users select its faults. */
export const SUBSCRIPTIONS = pluginSource(import.meta.url, 'plugins/subs.js');

import { pluginSource } from './plugins.js';
