import * as oauth from 'oauth4webapi';
import { CONSOLE_URL, encodeSegment, LOGIN_URL } from '../address.ts';
import type { PendingRequest } from './pending-request.ts';

export const CLIENT: oauth.Client = { client_id: 'keyhost-desk' };
/** The one redirect URI of the admin console, for every page. */
const REDIRECT_URI = CONSOLE_URL.href;
/** Local hosts may be tried out without TLS. */
const insecure = { [oauth.allowInsecureRequests]: location.protocol === 'http:' };

export interface Tokens {
  readonly access: string;
  readonly refresh: string | undefined;
  /** The token that ends the session. */
  readonly id: string;
  /** The user's ID. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** In milliseconds. */
  readonly lifetime: number;
}

/**
 * @throws Error if the host is unreachable or the realm does not exist (`OperationProcessingError`, with the response
 * as `cause`)
 */
export async function discover(realm: string): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(`realms/${encodeSegment(realm)}`, LOGIN_URL);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oidc', ...insecure });
  return oauth.processDiscoveryResponse(issuer, response);
}

/** A new authorization request with PKCE (RFC 7636), and the values to remember for it. */
export async function newRequest(
  server: oauth.AuthorizationServer,
  options: { realm: string; path: string; statePrefix?: string; prompt?: 'none' },
): Promise<{ url: URL; pending: PendingRequest }> {
  const { realm, path, statePrefix = '', prompt } = options;
  const verifier = oauth.generateRandomCodeVerifier();
  const state = statePrefix + oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: 'openid',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(prompt === undefined ? {} : { prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url, pending: { realm, state, verifier, nonce, path } };
}

/** Exchanges the code that the browser returned with. @throws Error for an invalid answer or an error of the host */
export async function redeem(
  server: oauth.AuthorizationServer,
  answer: URLSearchParams,
  { state, verifier, nonce }: PendingRequest,
): Promise<Tokens> {
  const parameters = oauth.validateAuthResponse(server, CLIENT, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    CLIENT,
    oauth.None(),
    parameters,
    REDIRECT_URI,
    verifier,
    insecure,
  );
  return tokensOf(
    await oauth.processAuthorizationCodeResponse(server, CLIENT, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    }),
  );
}

/** @throws ResponseBodyError if the host refuses, TypeError if it is unreachable */
export async function renew(server: oauth.AuthorizationServer, { refresh = '', id, subject }: Tokens): Promise<Tokens> {
  const response = await oauth.refreshTokenGrantRequest(server, CLIENT, oauth.None(), refresh, insecure);
  const newTokens = await oauth.processRefreshTokenResponse(server, CLIENT, response);
  return newTokens.id_token === undefined ? { ...tokensOf(newTokens), id, subject } : tokensOf(newTokens);
}

function tokensOf(made: oauth.TokenEndpointResponse): Tokens {
  const lifetime = (made.expires_in ?? 60) * 1000;
  return {
    access: made.access_token,
    refresh: made.refresh_token,
    id: made.id_token ?? '',
    subject: made.id_token === undefined ? '' : (oauth.getValidatedIdTokenClaims(made)?.sub ?? ''),
    expiresAt: Date.now() + lifetime,
    lifetime,
  };
}
