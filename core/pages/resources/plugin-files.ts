import { extname } from 'node:path';
import type { Context, Middleware, Next } from 'koa';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const TYPES: Readonly<Record<string, string>> = {
  '.js': JAVASCRIPT,
  '.mjs': JAVASCRIPT,
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const PREFIX = '/resources/plugins/';

/** The path of a plugin's file below the host's base path. */
export function pluginFilePath(hash: string, path: string): string {
  return `${PREFIX}${hash}/${path}`;
}

/** Serves the files of loaded plugins, each plugin's under the hash of its files. Passes any other path on. */
export function pluginFiles(): Middleware {
  return async function servePluginFile(ctx: Context, next: Next): Promise<void> {
    if (!ctx.path.startsWith(PREFIX) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const relativePath = ctx.path.slice(PREFIX.length);
    const slash = relativePath.indexOf('/');
    const hash = relativePath.slice(0, slash);
    const resources = ctx.providers.plugins.find(({ origin }) => origin.resources?.hash === hash)?.origin.resources;
    // The path is only compared with known names, never used in the file system.
    const body = resources?.files.get(relativePath.slice(slash + 1));
    if (body === undefined) return next();
    const type = TYPES[extname(relativePath)] ?? 'application/octet-stream';
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    // A Web Worker has the policy of its own response: `default-src 'none'` stops it from loading anything. `sandbox`
    // gives a plugin's document an origin of its own.
    ctx.set('Content-Security-Policy', type === JAVASCRIPT ? "default-src 'none'" : "default-src 'none'; sandbox");
    ctx.set('Content-Type', type);
    ctx.body = body;
  };
}
