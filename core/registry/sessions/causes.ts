import { HostError } from '@keyhost/spi';
import type { Caller } from './session.js';

/** Listeners of plugins answer each other so often at most. */
export const MOST_CAUSES = 5;

/**
 * Who is behind what a plugin does: its caller, and that it was this plugin. Listeners that hear of it go on from there.
 * @throws HostError `plugin_loop` where plugins answer each other without an end
 */
export function causedBy(plugin: string, caller: Caller): Caller {
  // Who hears of it does work of their own.
  const { causes = [], fence: _, ...rest } = caller;
  if (causes.length < MOST_CAUSES) return { ...rest, causes: [...causes, plugin] };
  throw new HostError(
    'plugin_loop',
    `plugins answer each other's events without an end: ${[...causes, plugin].join(' → ')}; after ${MOST_CAUSES} this is refused`,
  );
}
