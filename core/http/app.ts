import { HostError, type Logger, OAuthError } from '@keyhost/spi';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import type { ProviderRegistry } from '../registry/generations/registry.js';
import { type ErrorPage, writeFailure } from './errors.js';
import { type HasPath, hostProblem } from './host-header.js';
import { notFound } from './not-found.js';
import { decodeSegment } from './realm-dispatch.js';
import { wellKnownOfRealm } from './well-known.js';

/** Sets Keycloak's security headers. HSTS only over https (RFC 6797 §7.2). */
function setSecurityHeaders(ctx: Context, https: boolean): void {
  const { res } = ctx;
  res.setHeader('Referrer-Policy', 'no-referrer');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  res.setHeader('X-Frame-Options', 'SAMEORIGIN');
  res.setHeader('X-Robots-Tag', 'none');
  if (https) res.setHeader('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
}

/**
 * Creates the Koa application: security headers, a lease on the providers, the error writer, a check of `Host`, the
 * relative path, then the given middleware in order. It contains no endpoints.
 * @param relativePath '' or a path such as `/auth` in front of everything
 * @param publicPath the path of the public URL, if a proxy changes it
 * @param https true if the public URL is https
 * @param has the paths that exist under the host name of the request
 */
export function createApp(options: {
  relativePath: string;
  publicPath?: string;
  https: boolean;
  has?: HasPath;
  logger: Logger;
  registry: ProviderRegistry;
  middleware: readonly Middleware[];
  /** @param milliseconds duration of the request */
  onAnswered?: (ctx: Context, milliseconds: number) => void;
  errorPage?: ErrorPage;
}): Koa {
  const { relativePath, publicPath = relativePath, https, has, logger, registry, onAnswered, errorPage } = options;
  const issuerPaths = [...new Set([publicPath, relativePath])];
  const app = new Koa();
  app.silent = true;
  app.use(async function answer(ctx: Context, next: Next): Promise<void> {
    const startedAt = performance.now();
    setSecurityHeaders(ctx, https);
    const providers = registry.current.lease();
    ctx.providers = providers;
    try {
      const problem = hostProblem(ctx.req);
      if (problem !== undefined) throw new HostError('invalid_request', problem, { status: 400 });
      ctx.path = withoutRelativePath(ctx.path, relativePath, issuerPaths);
      if (has?.(ctx.path, ctx.req.headers.host) === false) throw notFound();
      await next();
    } catch (error) {
      await writeFailure(ctx, error, logger, errorPage);
    } finally {
      providers.release();
    }
    onAnswered?.(ctx, performance.now() - startedAt);
  });
  for (const middleware of options.middleware) app.use(middleware);
  app.use(function rejectUnknownPath(ctx: Context): void {
    decodeSegment(ctx.path);
    throw new OAuthError('Unable to find matching target resource method', undefined, { status: 404 });
  });
  app.on('error', (error: unknown) => logger.debug('connection error', { reason: String(error) }));
  return app;
}

/**
 * Removes the relative path, and maps well-known URLs to their realm.
 * @throws OAuthError 404 for a path outside the relative path, unless it is a well-known URL of a realm
 */
function withoutRelativePath(path: string, relativePath: string, issuerPaths: readonly string[]): string {
  const wellKnownPath = wellKnownOfRealm(path, issuerPaths);
  if (wellKnownPath !== undefined) return wellKnownPath;
  if (relativePath === '') return path;
  if (path !== relativePath && !path.startsWith(`${relativePath}/`)) {
    throw new OAuthError('Unable to find matching target resource method', undefined, { status: 404 });
  }
  const remainingPath = path.slice(relativePath.length) || '/';
  return wellKnownOfRealm(remainingPath, ['']) ?? remainingPath;
}
