import type { Message } from '@keyhost/spi';
import type { Context } from 'koa';
import type { ErrorPage } from '../http/errors.js';
import { realmNameOf } from '../http/realm-dispatch.js';
import { type ProxyHeaders, remoteOf } from '../http/remote.js';
import type { Realms } from '../realms/realms.js';
import type { Pages } from './pages.js';

/** Message keys of the host's own errors by their English text, so that browsers get them in the user's language. */
const MESSAGE_KEYS: Readonly<Record<string, string>> = {
  'Realm not enabled': 'realmNotEnabledMessage',
  'HTTPS required': 'httpsRequiredMessage',
};

/** Shows the host's errors to browsers, in the theme and language of the realm if there is one. */
export function errorPages(parts: { pages: Pages; realms: Realms; proxyHeaders: ProxyHeaders }): ErrorPage {
  const { pages, realms, proxyHeaders } = parts;
  return async function showError(ctx, status, text): Promise<void> {
    const message = { ...toMessage(status, text), severity: 'error' as const };
    const realm = realmOf(ctx, realms);
    if (realm === undefined) return pages.showWithoutRealm(ctx, status, { page: 'error' }, message);
    await pages.show({ ctx, realm, ...remoteOf(ctx, proxyHeaders) }, status, { page: 'error' }, { message });
  };
}

function toMessage(status: number, text: string | undefined): Message {
  if (text !== undefined && Object.hasOwn(MESSAGE_KEYS, text)) return { key: MESSAGE_KEYS[text] ?? text };
  if (status === 404) return { key: 'pageNotFound' };
  if (status >= 500) return { key: 'internalServerError' };
  return { key: text ?? 'invalidRequestMessage' };
}

function realmOf(ctx: Context, realms: Realms) {
  try {
    const name = realmNameOf(ctx.path);
    return name === undefined ? undefined : realms.cached(name);
  } catch {
    // A path with invalid encoding names no realm.
    return undefined;
  }
}
