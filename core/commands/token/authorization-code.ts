import { createServer } from 'node:http';
import { BootError } from '../../config/boot-error.js';
import { randomToken } from '../../model/random-token.js';
import { fetchFrom } from '../server/requests.js';
import { decodeToken } from './decoded-token.js';
import { FINAL_PAGE_HEADERS, finalPage } from './final-page.js';
import { createPkce } from './pkce.js';
import { type Provider, postTokenRequest, type TokenAnswer, type TokenClient } from './token-endpoint.js';

/** The default redirect URI. A native app that has registered it may listen on any port (RFC 8252 §7.3). */
const REDIRECT = new URL('http://127.0.0.1/callback');
/** The time limit of the sign-in, in milliseconds. */
const LOGIN_MS = 10 * 60_000;

const DONE = finalPage('You are signed in', 'Close this page and return to the terminal.');
const FAILED = finalPage('The sign-in failed', 'Close this page and return to the terminal. It says why.');
const NOT_FOUND = finalPage('Not found', 'The command that waits here has no such page.');
const OTHER_SIGN_IN_PAGE = finalPage('Not the sign-in of this command', 'Open the address that the terminal shows.');

/**
 * Gets tokens by the code flow of a native app (RFC 8252): with PKCE (RFC 7636), a state, a nonce, and a redirect to
 * this machine.
 * @param redirectUri a redirect URI of the client; undefined: `http://127.0.0.1/callback` with a free port
 * @param showUrl called with the address that the user opens
 * @throws BootError `sign_in_failed`, `server_refused`, `listen_failed`
 */
export async function getTokensByCode(
  provider: Provider,
  client: TokenClient,
  { scope, redirectUri, showUrl }: { scope: string; redirectUri: URL | undefined; showUrl: (url: string) => void },
): Promise<TokenAnswer> {
  const state = randomToken(32);
  const nonce = randomToken(32);
  const { verifier, challenge } = createPkce();
  const {
    redirect,
    code,
    end: fail,
  } = await listenForRedirect(redirectUri ?? REDIRECT, { state, issuer: provider.issuer });
  const url = new URL(provider.authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirect,
    scope,
    state,
    nonce,
    ...challenge,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  await requireValidRequest(url.href, client, redirectUri ?? REDIRECT).then(() => showUrl(url.href), fail);
  const form = { grant_type: 'authorization_code', redirect_uri: redirect, code_verifier: verifier };
  const answer = await postTokenRequest(provider, client, { ...form, code: await code });
  const claims = decodeToken(String(answer.id_token ?? ''))?.claims;
  if (claims !== undefined && (claims.nonce !== nonce || claims.iss !== provider.issuer)) {
    throw new BootError('sign_in_failed', 'the ID token belongs to another sign-in', { hint: 'start again' });
  }
  return answer;
}

/**
 * Sends the authorization request before the browser does. Otherwise a refusal would only be shown in the browser while
 * this command waits.
 * @throws BootError `server_refused`
 */
async function requireValidRequest(url: string, { clientId }: TokenClient, redirect: URL): Promise<void> {
  const page = await fetchFrom(url, { redirect: 'manual' });
  await page.body?.cancel();
  if (page.status < 400) return;
  throw new BootError('server_refused', `the server refuses a sign-in to ${clientId} (status ${page.status})`, {
    hint: `check --client-id; enable the standard flow of the client and add the redirect URI ${redirect}; or use another --grant`,
  });
}

/** Listens for the redirect. Requests that do not belong to this sign-in are rejected, and the listening continues. */
async function listenForRedirect(
  registered: URL,
  { state, issuer }: { state: string; issuer: string },
): Promise<{ redirect: string; code: Promise<string>; end: (reason: unknown) => void }> {
  const redirect = new URL(registered);
  const codeResult = createPromise<string>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', redirect);
    const answer = (status: number, text: string) => {
      response.writeHead(status, { ...FINAL_PAGE_HEADERS, connection: 'close' }).end(text);
    };
    // A request with another host name is from another site (DNS rebinding).
    const isRedirect = request.headers.host === redirect.host && url.pathname === redirect.pathname;
    if (request.method !== 'GET' || !isRedirect) return answer(404, NOT_FOUND);
    const query = url.searchParams;
    // A response of another issuer does not belong to this sign-in (RFC 9207 §2.4).
    const belongsToSignIn = query.get('state') === state && [null, issuer].includes(query.get('iss'));
    if (!belongsToSignIn) return answer(400, OTHER_SIGN_IN_PAGE);
    const code = query.get('code');
    if (code !== null) {
      answer(200, DONE);
      return codeResult.resolve(code);
    }
    answer(200, FAILED);
    const reason = query.get('error_description') ?? query.get('error');
    codeResult.reject(new BootError('sign_in_failed', `the sign-in failed: ${reason}`, { hint: 'start again' }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new BootError('listen_failed', `cannot listen on ${redirect.host}`, { hint: 'choose another port', cause }),
      ),
    );
    server.listen(Number(redirect.port), redirect.hostname.replace(/^\[|]$/g, ''), resolve);
  });
  const { port } = server.address() as { port: number };
  redirect.port = String(port);
  const timeout = setTimeout(
    () => codeResult.reject(new BootError('sign_in_failed', 'nobody has signed in', { hint: 'start again' })),
    LOGIN_MS,
  );
  const code = codeResult.promise.finally(() => {
    clearTimeout(timeout);
    server.close();
  });
  return { redirect: redirect.href, code, end: codeResult.reject };
}

function createPromise<T>() {
  let [resolve, reject]: [(value: T) => void, (reason: unknown) => void] = [() => {}, () => {}];
  const promise = new Promise<T>((...settle) => {
    [resolve, reject] = settle;
  });
  return { promise, resolve, reject };
}
