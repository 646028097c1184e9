import { hash } from 'node:crypto';
import type { Page } from '@keyhost/spi';
import type { Context, Middleware, Next } from 'koa';
import { ACCOUNT_STYLESHEET } from './account-stylesheet.js';
import { FRAME_SCRIPTS } from './frame-scripts.js';
import { SCRIPTS } from './scripts.js';
import { STYLESHEET } from './stylesheet.js';

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const STYLESHEET_FILE = 'login.css';
const ACCOUNT_STYLESHEET_FILE = 'account.css';

interface Resource {
  readonly type: string;
  readonly body: Buffer;
}

const RESOURCES: ReadonlyMap<string, Resource> = new Map([
  [STYLESHEET_FILE, { type: CSS, body: Buffer.from(STYLESHEET) }],
  [ACCOUNT_STYLESHEET_FILE, { type: CSS, body: Buffer.from(ACCOUNT_STYLESHEET) }],
  ...[...Object.values(SCRIPTS), ...Object.values(FRAME_SCRIPTS)].map(({ file, text }): [string, Resource] => [
    file,
    { type: JAVASCRIPT, body: Buffer.from(text) },
  ]),
]);

/** Changes whenever a file does, so that all files can be cached forever. */
const VERSION = hash(
  'sha256',
  [...RESOURCES].map(([file, { body }]) => `${file}\n${body.toString()}`).join('\n'),
  'base64url',
).slice(0, 12);

const PREFIX = `/resources/${VERSION}/login/`;

/** The path of the stylesheet below the host's base path. */
export const STYLESHEET_PATH = `${PREFIX}${STYLESHEET_FILE}`;

/** The path of the account page's stylesheet. */
export const ACCOUNT_STYLESHEET_PATH = `${PREFIX}${ACCOUNT_STYLESHEET_FILE}`;

/** The path of a page's script below the host's base path. */
export function scriptPath(page: Page['page']): string | undefined {
  return Object.hasOwn(SCRIPTS, page) ? `${PREFIX}${SCRIPTS[page as keyof typeof SCRIPTS].file}` : undefined;
}

/** The path of the script of a framed page, below the host's base path. */
export function frameScriptPath(page: keyof typeof FRAME_SCRIPTS): string {
  return `${PREFIX}${FRAME_SCRIPTS[page].file}`;
}

/** Serves the files of pages. Passes any other path on. */
export function loginResources(): Middleware {
  return async function serveLoginResource(ctx: Context, next: Next): Promise<void> {
    const resource = ctx.path.startsWith(PREFIX) ? RESOURCES.get(ctx.path.slice(PREFIX.length)) : undefined;
    if (resource === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('Content-Type', resource.type);
    ctx.body = resource.body;
  };
}
