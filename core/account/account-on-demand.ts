import type { Fallback } from '../http/realm-dispatch.js';
import type { AccountParts } from './account.js';
import { ACCOUNT } from './account-session.js';

/**
 * `/realms/{realm}/account` and what is below it. Loaded when the first request comes: most hosts are asked for tokens long
 * before, or only. Whatever else comes goes on to `next`.
 */
export function accountOnDemand(parts: AccountParts, next: Fallback): Fallback {
  let serve: Fallback | undefined;
  return async function serveAccount(exchange, path): Promise<void> {
    if (path !== ACCOUNT && !path.startsWith(`${ACCOUNT}/`)) return next(exchange, path);
    serve ??= (await import('./account-endpoint.js')).accountEndpoint(parts);
    return serve(exchange, path.slice(ACCOUNT.length) || '/');
  };
}
