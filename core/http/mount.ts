import type { Middleware } from 'koa';
import { OnDemand } from '../di/on-demand.js';
import type { Fallback, Mount } from './realm-dispatch.js';

/** A mount whose handler is imported with its first request. */
export function lazyMount(at: string, load: () => Promise<Fallback>): Mount {
  const handler = new OnDemand(load);
  return {
    basePath: at,
    handle: async (exchange, subPath) => (handler.loaded ?? (await handler.get()))(exchange, subPath),
  };
}

/** Middleware outside of realms that is imported with the first request that it serves. */
export function lazyMiddleware(serves: (path: string) => boolean, load: () => Promise<Middleware>): Middleware {
  const handler = new OnDemand(load);
  return async function serveOnDemand(ctx, next) {
    return serves(ctx.path) ? (await handler.get())(ctx, next) : next();
  };
}
