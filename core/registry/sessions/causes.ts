import { HostError } from '@keyhost/spi';
import type { Caller } from './host-session.js';

/** Maximum length of a chain of plugins' listeners that trigger each other. */
export const MAX_CAUSES = 5;

/**
 * Adds the plugin to the causes of its action, which continue in the listeners of the resulting events.
 * @throws HostError `plugin_loop` if plugins trigger each other endlessly
 */
export function withCause(plugin: string, caller: Caller): Caller {
  // A listener's work is independent of the fence of the plugin's work.
  const { causes = [], fence: _, ...rest } = caller;
  if (causes.length < MAX_CAUSES) return { ...rest, causes: [...causes, plugin] };
  throw new HostError(
    'plugin_loop',
    `plugins answer each other's events without an end: ${[...causes, plugin].join(' → ')}; after ${MAX_CAUSES} this is refused`,
  );
}
