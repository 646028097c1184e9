import { readFile } from 'node:fs/promises';
import type { Context } from 'koa';
import { notFound } from '../http/not-found.js';
import type { Asset } from './web-bundle.js';

/** Sends a compressed file whose name changes with its contents. @throws OAuthError 404 */
export async function writeAsset(ctx: Context, asset: Asset | undefined): Promise<void> {
  if (asset === undefined) throw notFound();
  ctx.vary('Accept-Encoding');
  const encoding = ctx.acceptsEncodings(...asset.files.keys()) || 'identity';
  const body = await readFile(asset.files.get(encoding) ?? '');
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.set('Content-Type', asset.type);
  ctx.body = body;
}
