import { HostError } from '@keyhost/spi';
import type { Caller } from './caller.js';

/** Maximum number of plugins in a chain of event listeners that trigger each other. */
export const MAX_CAUSES = 5;

/**
 * Returns the caller for a plugin's action: with the plugin added to its causes. Listeners of the resulting events
 * inherit them.
 * @throws HostError `plugin_loop` if plugins trigger each other without end
 */
export function withCause(plugin: string, caller: Caller): Caller {
  // The work of a listener does not depend on the fence of the work that caused the event.
  const { causes = [], fence: _, ...rest } = caller;
  if (causes.length < MAX_CAUSES) return { ...rest, causes: [...causes, plugin] };
  throw new HostError(
    'plugin_loop',
    `plugins answer each other's events without an end: ${[...causes, plugin].join(' → ')}; after ${MAX_CAUSES} this is refused`,
  );
}
