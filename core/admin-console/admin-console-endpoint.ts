import type { Context, Middleware } from 'koa';
import { methodNotAllowed } from '../http/realm-dispatch.js';
import type { PublicAddress } from '../realms/public-address.js';
import { ADMIN_CONSOLE_PATH, ASSETS } from './admin-console-paths.js';
import { INSTALL_COMMAND } from './keycloak-console/console-folders.js';
import type { WebBundle } from './web-bundle.js';
import { writeAsset } from './write-asset.js';

/**
 * The page's content security policy: it may load its own files and call the API. Its scripts do not write HTML or
 * generate code.
 * @param login the origin of the login if it is a different one, with a space in front
 */
const policy = (login: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${login}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    `form-action 'self'${login}`,
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** The element with the login's address, if its origin differs. */
const LOGIN = '<meta name="login" content=""';
/** The element with the command that installs Keycloak's console on this host. */
const INSTALL_CONSOLE = '<meta name="install-console" content=""';

const NOT_BUILT =
  'The admin console is not built: run "npm run build" in the folder of Keyhost, and start the host again.\n';

/**
 * Serves the admin console: its files, and its page at every other path, which the program in the browser interprets.
 * @param parts.built undefined if it is not built
 */
export function adminConsoleEndpoint({
  address,
  built,
}: {
  address: PublicAddress;
  built: WebBundle | undefined;
}): Middleware {
  return async function serveAdminConsole(ctx: Context): Promise<void> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    const base = new URL(address.adminAddressFor(ctx.req.headers.host)).pathname.replace(/\/$/, '');
    if (!ctx.path.startsWith(ADMIN_CONSOLE_PATH)) return redirect(ctx, `${base}${ADMIN_CONSOLE_PATH}${ctx.search}`);
    if (built === undefined) return tellNotBuilt(ctx);
    if (ctx.path.startsWith(ASSETS)) return writeAsset(ctx, built.assets.get(ctx.path.slice(ASSETS.length)));
    const html = built.html
      .replaceAll('="./', `="${base}${ADMIN_CONSOLE_PATH}`)
      .replace(INSTALL_CONSOLE, INSTALL_CONSOLE.replace('""', `"${INSTALL_COMMAND}"`));
    if (address.separateAdminAddress === undefined) return writePage(ctx, html, '');
    const login = address.base.replaceAll('&', '&amp;');
    writePage(
      ctx,
      html.replace(LOGIN, () => LOGIN.replace('""', () => `"${login}/"`)),
      ` ${new URL(address.base).origin}`,
    );
  };
}

function redirect(ctx: Context, location: string): void {
  ctx.status = 302;
  ctx.set('Location', location);
  ctx.set('Cache-Control', 'no-store');
}

function tellNotBuilt(ctx: Context): void {
  ctx.status = 503;
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/plain; charset=utf-8');
  ctx.body = NOT_BUILT;
}

function writePage(ctx: Context, html: string, login: string): void {
  ctx.set('Content-Security-Policy', policy(login));
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = html;
}
