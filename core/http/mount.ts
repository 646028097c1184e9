import { OnDemand } from '../di/on-demand.js';
import type { Fallback, Mount } from './realm-dispatch.js';

/** A mount whose handler is imported with its first request. */
export function onDemand(at: string, load: () => Promise<Fallback>): Mount {
  const handler = new OnDemand(load);
  return {
    at,
    handle: async (exchange, rest) => (handler.loaded ?? (await handler.get()))(exchange, rest),
  };
}
