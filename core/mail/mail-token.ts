import { outboundPost } from '../keys/outbound/outbound-request.js';
import type { PrivateNetworks } from '../model/private-networks.js';
import type { SmtpTokenAuth } from '../model/smtp-settings.js';

const MAX_BYTES = 64 * 1024;

/**
 * Requests the access token that a mail server accepts in place of a password (XOAUTH2), by the client credentials
 * grant (RFC 6749 §4.4). Each mail gets a new token, because mails are rare and a cached token may have expired.
 * @throws Error with the reason, without secrets
 */
export async function requestMailToken(
  { tokenUrl, scope, clientId, clientSecret }: SmtpTokenAuth,
  privateNetworks: PrivateNetworks,
  timeoutMs: number,
): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === '' ? {} : { scope }),
  });
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await outboundPost(tokenUrl, form, { signal, maxBytes: MAX_BYTES, privateNetworks });
  if (response.status !== 200) throw new Error(`smtpServer.authTokenUrl answered ${response.status}`);
  const body = await response.json().catch(() => undefined);
  const { access_token: token } = (body ?? {}) as { access_token?: unknown };
  if (typeof token !== 'string' || token === '') throw new Error('smtpServer.authTokenUrl returned no token');
  return token;
}
