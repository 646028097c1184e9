import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@keyhost/spi';
import type { Context, Middleware } from 'koa';
import { HOST_DIR } from '../../config/host-folder.js';
import { notFound } from '../../http/not-found.js';
import { methodNotAllowed } from '../../http/realm-dispatch.js';
import { ADMIN_CONSOLE } from '../../model/built-in-names.js';
import { MASTER_REALM, type Realm } from '../../model/realm.js';
import type { PublicAddress } from '../../realms/public-address.js';
import type { Realms } from '../../realms/realms.js';
import { ADMIN_CONSOLE_PATH } from '../admin-console-paths.js';
import { readWebBundle, type WebBundle } from '../web-bundle.js';
import { writeAsset } from '../write-asset.js';
import { INSTALL_COMMAND } from './console-folders.js';
import { CONSOLE_ASSETS, readConsolePath } from './console-paths.js';

/**
 * The page's content security policy. PatternFly sets style attributes, which requires `unsafe-inline` for styles.
 * @param loginSource the origin of the login pages with a space in front; empty if it is the console's own
 */
const policy = (loginSource: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    `connect-src 'self'${loginSource}`,
    "img-src 'self' data:",
    `frame-src 'self'${loginSource}`,
    "base-uri 'none'",
    `form-action 'self'${loginSource}`,
    "frame-ancestors 'none'",
  ].join('; ');

/** The element of the page with the settings that the bundle reads. */
const ENVIRONMENT = /(<script id="environment" type="application\/json">)(<\/script>)/;

export interface ConsoleEndpointParts {
  readonly realms: Pick<Realms, 'get'>;
  readonly address: PublicAddress;
  /** Folders that may contain the console's bundle; the first one that does is used. */
  readonly folders: readonly string[];
  readonly logger: Logger;
}

/**
 * Serves Keycloak's admin console: its page for each realm, the realm's own texts, and its files. Each request for the
 * page checks whether the bundle is installed, so no restart is needed. If it is missing, redirects to Keyhost's admin
 * console.
 */
export function consoleEndpoint({ realms, address, folders, logger }: ConsoleEndpointParts): Middleware {
  let bundle: WebBundle | undefined;
  let warnedVersion: string | undefined;

  /**
   * Reads the bundle, which the operator installs. A folder inside a package is a plugin's, and plugins must not get
   * the host's origin.
   */
  async function readConsole(): Promise<WebBundle | undefined> {
    for (const folder of folders) {
      const manifest = join(folder, '..', 'package.json');
      if (existsSync(manifest)) {
        logger.warn('no console is served from the folder of a plugin', { file: manifest });
        continue;
      }
      const found = await readWebBundle(folder);
      if (found === undefined) continue;
      await warnAboutOtherVersion(folder);
      return found;
    }
    return undefined;
  }

  /**
   * Warns if the console was built for another version of Keyhost, since it may use internal endpoints that have
   * changed.
   */
  async function warnAboutOtherVersion(folder: string): Promise<void> {
    const [builtFor, version] = await Promise.all([versionIn(folder), versionIn(HOST_DIR)]);
    if (builtFor === version || builtFor === undefined || builtFor === warnedVersion) return;
    warnedVersion = builtFor;
    const hint = `install ${version} with: ${INSTALL_COMMAND}`;
    logger.warn('Keycloak’s console is of another version of Keyhost', { folder, version: builtFor, hint });
  }

  async function servePage(ctx: Context, realm: Realm): Promise<void> {
    bundle = await readConsole();
    ctx.set('Cache-Control', 'no-store');
    const base = address.adminAddressFor(ctx.req.headers.host);
    const path = new URL(base).pathname.replace(/\/$/, '');
    if (bundle === undefined)
      return ctx.redirect(`${path}${ADMIN_CONSOLE_PATH}?realm=${encodeURIComponent(realm.name)}`);
    const assetsPath = `${path}${CONSOLE_ASSETS}`;
    const environment = JSON.stringify(environmentOf(realm, address.addressFor(ctx.req.headers.host), base)).replaceAll(
      '<',
      '\\u003c',
    );
    const html = bundle.html
      .replaceAll('="./assets/', `="${assetsPath}`)
      .replace(ENVIRONMENT, (_, begin: string, end: string) => begin + environment + end);
    writePage(ctx, html, address.separateAdminAddress === undefined ? '' : ` ${new URL(address.base).origin}`);
  }

  return async function serveConsole(ctx: Context): Promise<void> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    if (ctx.path.startsWith(CONSOLE_ASSETS)) {
      bundle ??= await readConsole();
      return writeAsset(ctx, bundle?.assets.get(ctx.path.slice(CONSOLE_ASSETS.length)));
    }
    const consolePath = readConsolePath(ctx.path);
    const realm = consolePath && (await realms.get(consolePath.realm));
    if (realm === undefined) throw notFound();
    if (consolePath?.language !== undefined) return writeTexts(ctx, realm, consolePath.language);
    if (consolePath?.isWhole === true) return servePage(ctx, realm);
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(`${address.adminAddressFor(ctx.req.headers.host)}${consolePathOf(realm)}`);
  };
}

/** @returns undefined if the folder has no version */
async function versionIn(folder: string): Promise<string | undefined> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(await readFile(file, 'utf8')) as { version?: string }).version;
}

function consolePathOf(realm: Realm): string {
  return `/admin/${encodeURIComponent(realm.name)}/console/`;
}

/** The console's settings, with Keycloak's member names. */
function environmentOf(realm: Realm, serverBaseUrl: string, adminBaseUrl: string) {
  return {
    serverBaseUrl,
    adminBaseUrl,
    consoleBaseUrl: `${adminBaseUrl}${consolePathOf(realm)}`,
    realm: realm.name,
    masterRealm: MASTER_REALM,
    clientId: ADMIN_CONSOLE,
    resourceUrl: `${adminBaseUrl}${CONSOLE_ASSETS.slice(0, -1)}`,
    resourceVersion: 'keycloak-console',
    logoUrl: '',
    darkMode: realm.settings.attribute('darkMode') !== 'false',
  };
}

/** Writes the realm's own texts, which override those in the bundle. */
function writeTexts(ctx: Context, realm: Realm, language: string): void {
  const { texts } = realm.settings;
  ctx.set('Cache-Control', 'no-store');
  ctx.body = Object.hasOwn(texts, language) ? texts[language] : {};
}

function writePage(ctx: Context, html: string, login: string): void {
  ctx.set('Content-Security-Policy', policy(login));
  ctx.set('X-Frame-Options', 'DENY');
  ctx.set('Cross-Origin-Opener-Policy', 'same-origin');
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Content-Type', 'text/html; charset=utf-8');
  ctx.body = html;
}
