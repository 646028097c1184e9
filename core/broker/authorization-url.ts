import { hash } from 'node:crypto';
import type { HostAuthenticationSession, ProviderRedirect } from '../login/authentication-sessions.js';
import { flowPosition, newRedirectState } from '../login/pending-redirects.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import { randomToken } from '../model/random-token.js';
import type { Realm } from '../model/realm.js';

/** Creates the record of a redirect to the provider: state, nonce, PKCE verifier, and the position in the flow. */
export function createRedirect(
  provider: IdentityProvider,
  authentication: HostAuthenticationSession,
): ProviderRedirect {
  const newSecret = () => randomToken(32);
  return {
    alias: provider.alias,
    state: newRedirectState(authentication),
    nonce: provider.sendsNonce ? newSecret() : undefined,
    verifier: provider.pkceMethod === undefined ? undefined : newSecret(),
    from: flowPosition(authentication),
  };
}

/** The URL of the provider's authorization endpoint, with the request (OpenID Connect Core §3.1.2.1). */
export function authorizationUrl(
  realm: Realm,
  provider: IdentityProvider,
  authentication: HostAuthenticationSession,
  redirect: ProviderRedirect,
  loginHint = authentication.request.loginHint,
): string {
  const { request } = authentication;
  const url = new URL(provider.authorizationUrl);
  const { nonce, verifier } = redirect;
  const parameters: Readonly<Record<string, string | undefined>> = {
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri(realm),
    response_type: 'code',
    scope: provider.scope,
    state: redirect.state,
    nonce,
    code_challenge: verifier && (provider.pkceMethod === 'plain' ? verifier : hash('sha256', verifier, 'base64url')),
    code_challenge_method: verifier && provider.pkceMethod,
    prompt: mustSignInAgain(authentication) ? 'login' : provider.prompt,
    login_hint: provider.passesLoginHint ? loginHint : undefined,
    max_age: provider.passesMaxAge && request.maxAge !== undefined ? String(request.maxAge) : undefined,
    ui_locales: provider.passesLocale ? request.uiLocales : undefined,
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

/**
 * True if the user must sign in again at the provider too. An application-initiated action alone does not require this
 * while it runs, because its user has just signed in here.
 */
function mustSignInAgain({ request, at }: HostAuthenticationSession): boolean {
  const { prompts, maxAge, initiatedAction } = request;
  return prompts.includes('login') || maxAge === 0 || (initiatedAction !== undefined && at !== 'required-action');
}
