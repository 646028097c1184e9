import * as jose from 'jose';
import type { PrivateNetworks } from '../../model/private-networks.js';
import { outboundGet } from './outbound-request.js';

const TIMEOUT_MS = 5_000;
const CACHE_MS = 10 * 60_000;
const MAX_JWKS_BYTES = 256 * 1024;

/**
 * The keys at a `jwks_uri`. They are fetched at first use and again after ten minutes, and earlier if the requested key
 * is missing.
 * @param options.timeoutMs timeout of a fetch, default 5 seconds
 * @param options.coolDownMs how long after a fetch a missing key causes no other fetch
 * @param options.privateNetworks networks in which the URL may be, in addition to public addresses
 */
export function remoteKeySet(
  url: string,
  {
    coolDownMs,
    privateNetworks,
    timeoutMs = TIMEOUT_MS,
  }: { readonly coolDownMs: number; readonly privateNetworks: PrivateNetworks; readonly timeoutMs?: number },
): ReturnType<typeof jose.createRemoteJWKSet> {
  return jose.createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: coolDownMs,
    cacheMaxAge: CACHE_MS,
    [jose.customFetch]: (address, { signal }) =>
      outboundGet(address, { signal, maxBytes: MAX_JWKS_BYTES, privateNetworks }),
  });
}
