import type { Context } from 'koa';

/** True for a prefetch by a browser or a mail scanner, which must have no effect. */
export function isPrefetch(ctx: Pick<Context, 'get'>): boolean {
  return ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'].some((name) =>
    /prefetch|prerender|preview/i.test(ctx.get(name)),
  );
}
