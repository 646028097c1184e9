import type { Context, Middleware, Next } from 'koa';
import { isLoopback, isLoopbackName } from '../../http/direct.js';
import { writeJson } from '../../http/errors.js';
import { type ProxyHeaders, remoteOf } from '../../http/remote.js';
import type { Pages } from '../../pages/pages.js';
import type { PublicAddress } from '../../realms/public-address.js';
import { collectWelcomeData, type WelcomeParts } from './collect-welcome-data.js';
import { PRODUCTION_TEXT, welcomePage } from './welcome-page.js';

/**
 * `/`, the start page. In production it reveals nothing about the host: no realms, users or version.
 * @param parts.trial undefined in production
 */
export function welcomeEndpoint(parts: {
  pages: Pages;
  address: PublicAddress;
  proxyHeaders: ProxyHeaders;
  trial: WelcomeParts | undefined;
}): Middleware {
  const { pages, address, proxyHeaders, trial } = parts;
  return async function serveWelcome(ctx: Context, next: Next): Promise<void> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const { host } = ctx.req.headers;
    const showsUsers = isLoopback(remoteOf(ctx, proxyHeaders).ip) && isLoopbackName(host ?? '');
    const data = trial && (await collectWelcomeData(trial, address.adminAddressFor(host), host, showsUsers));
    ctx.vary('Accept');
    if (ctx.accepts('text/html', 'application/json') === 'application/json') {
      ctx.set('Cache-Control', 'no-store');
      return writeJson(ctx, 200, data ?? { description: PRODUCTION_TEXT });
    }
    pages.showBodyWithoutRealm(ctx, 200, welcomePage(data));
  };
}
