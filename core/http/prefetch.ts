import type { Context } from 'koa';

/** Browsers and mail scanners that only look ahead must not act. */
export function isPrefetch(ctx: Pick<Context, 'get'>): boolean {
  return ['sec-purpose', 'purpose', 'x-moz', 'x-purpose'].some((name) =>
    /prefetch|prerender|preview/i.test(ctx.get(name)),
  );
}
