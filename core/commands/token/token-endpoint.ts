import { BootError } from '../../config/boot-error.js';
import { errorText, fetchFrom } from '../server/requests.js';

/** The members of the discovery document that the grants require. */
export interface Provider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly device_authorization_endpoint?: string;
  readonly jwks_uri: string;
}

export interface TokenClient {
  readonly clientId: string;
  /** Undefined if the client is public. */
  readonly secret: string | undefined;
}

export type TokenAnswer = Readonly<Record<string, string | number | undefined>>;

/**
 * Reads the discovery document of an issuer.
 * @throws BootError `options_invalid` if the realm does not exist, or has another issuer; `server_refused` if the
 * server fails
 */
export async function discover(issuer: string): Promise<Provider> {
  const response = await fetchFrom(`${issuer}/.well-known/openid-configuration`);
  const provider = (await response.json().catch(() => ({}))) as Partial<Provider>;
  if (response.ok && provider.issuer === issuer) return provider as Provider;
  const why = response.ok ? `it calls itself ${provider.issuer}` : `status ${response.status}`;
  const isWrongAddress = response.ok || response.status === 404;
  throw new BootError(isWrongAddress ? 'options_invalid' : 'server_refused', `no issuer ${issuer}: ${why}`, {
    hint: isWrongAddress ? 'correct --realm or --server' : 'try again, or look at the log of the server',
  });
}

/** Posts a form with the client's authentication. @returns the response and its body */
export async function postForm(
  endpoint: string,
  { clientId, secret }: TokenClient,
  form: Readonly<Record<string, string>>,
): Promise<{ response: Response; answer: TokenAnswer }> {
  // The client ID and the secret are form-encoded before they are joined (RFC 6749 §2.3.1).
  const encodeForm = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  const basic = Buffer.from(`${encodeForm(clientId)}:${encodeForm(secret ?? '')}`).toString('base64');
  const response = await fetchFrom(endpoint, {
    method: 'POST',
    headers: secret === undefined ? {} : { authorization: `Basic ${basic}` },
    body: new URLSearchParams(secret === undefined ? { client_id: clientId, ...form } : form),
  });
  return { response, answer: (await response.json().catch(() => ({}))) as TokenAnswer };
}

/**
 * Requests tokens.
 * @throws BootError `server_refused` with the server's error, but without parameters of the request
 */
export async function postTokenRequest(
  { token_endpoint }: Provider,
  client: TokenClient,
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const { response, answer } = await postForm(token_endpoint, client, form);
  if (response.ok) return answer;
  throw refusalError(answer, response);
}

export function refusalError(answer: TokenAnswer, response: Response): BootError {
  const { error } = answer;
  const code = String(error ?? '');
  const text = errorText(answer, response);
  return new BootError(
    'server_refused',
    `no token: ${code}${code === text || code === '' ? '' : ': '}${code === text ? '' : text}`,
    {
      hint: HINTS[code] ?? 'the events of the realm say more',
    },
  );
}

const HINTS: Readonly<Record<string, string>> = {
  invalid_client: 'correct --client-id, or the secret in --client-secret:env',
  unauthorized_client: 'enable this grant in the client, or correct its secret in --client-secret:env',
  invalid_grant: 'correct the username and the password; a user with required actions signs in with a browser',
  invalid_scope: 'correct --scope: the client must have each scope',
};
