import { hash } from 'node:crypto';
import type { HostAuthenticationSession, ProviderRedirect } from '../login/authentication-sessions.js';
import { flowPosition, newRedirectState } from '../login/pending-redirects.js';
import type { IdentityProvider } from '../model/identity-provider.js';
import { randomToken } from '../model/random-token.js';
import type { Realm } from '../model/realm.js';

/** The parameters that the browser takes to the provider, and the state that it must return with. */
export function newRedirect(provider: IdentityProvider, authentication: HostAuthenticationSession): ProviderRedirect {
  const random = () => randomToken(32);
  return {
    alias: provider.alias,
    state: newRedirectState(authentication),
    nonce: provider.sendsNonce ? random() : undefined,
    verifier: provider.pkceMethod === undefined ? undefined : random(),
    from: flowPosition(authentication),
  };
}

/** The URL of the provider's authorization endpoint with the request (OpenID Connect Core §3.1.2.1). */
export function authorizationUrl(
  realm: Realm,
  provider: IdentityProvider,
  authentication: HostAuthenticationSession,
  trip: ProviderRedirect,
  loginHint = authentication.request.loginHint,
): string {
  const { request } = authentication;
  const url = new URL(provider.authorizationUrl);
  const { nonce, verifier } = trip;
  const parameters: Readonly<Record<string, string | undefined>> = {
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri(realm),
    response_type: 'code',
    scope: provider.scope,
    state: trip.state,
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
 * True if the user must sign in again at the provider too. Not for linking an account, because its user has signed in
 * here.
 */
function mustSignInAgain({ request, at }: HostAuthenticationSession): boolean {
  const { prompts, maxAge, initiatedAction } = request;
  return prompts.includes('login') || maxAge === 0 || (initiatedAction !== undefined && at !== 'required-action');
}
