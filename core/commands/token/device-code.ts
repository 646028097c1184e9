import { setTimeout as sleep } from 'node:timers/promises';
import { BootError } from '../../config/boot-error.js';
import { createPkce } from './pkce.js';
import { type Provider, postForm, refusalError, type TokenAnswer, type TokenClient } from './token-endpoint.js';

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/**
 * Gets tokens by the device grant (RFC 8628), for which the user signs in with a browser on any device.
 * @param showUrl called with the address that the user opens
 * @throws BootError `options_invalid` if the realm has not enabled the grant, `server_refused` if the user or the
 * server refuses
 */
export async function getTokensByDevice(
  provider: Provider,
  client: TokenClient,
  { scope, showUrl }: { scope: string; showUrl: (url: string) => void },
): Promise<TokenAnswer> {
  const endpoint = provider.device_authorization_endpoint;
  if (endpoint === undefined) {
    throw new BootError('options_invalid', 'the realm has no device grant', { hint: 'use another --grant' });
  }
  // A client that requires PKCE requires it for this grant, too, as in Keycloak.
  const { verifier, challenge } = createPkce();
  const { response, answer } = await postForm(endpoint, client, { scope, ...challenge });
  if (!response.ok) throw refusalError(answer, response);
  showUrl(new URL(String(answer.verification_uri_complete ?? answer.verification_uri)).href);
  let interval = Number(answer.interval ?? 5);
  for (;;) {
    await sleep(interval * 1000);
    const polled = await postForm(provider.token_endpoint, client, {
      grant_type: DEVICE_CODE,
      device_code: String(answer.device_code),
      code_verifier: verifier,
    });
    if (polled.response.ok) return polled.answer;
    // RFC 8628 §3.5.
    if (polled.answer.error === 'slow_down') interval += 5;
    else if (polled.answer.error !== 'authorization_pending') throw refusalError(polled.answer, polled.response);
  }
}
