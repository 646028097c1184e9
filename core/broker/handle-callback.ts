import type { JsonObject, Logger } from '@keyhost/spi';
import type { Exchange } from '../http/exchange.js';
import type { Form } from '../http/form.js';
import type { KeyRing } from '../keys/key-ring.js';
import type { HostAuthenticationSession, ProviderRedirect } from '../login/authentication-sessions.js';
import type { LoginActionParts } from '../login/login-actions.js';
import { emitLoginEvent } from '../login/login-events.js';
import { flowPosition } from '../login/pending-redirects.js';
import type { Client } from '../model/client.js';
import type { Clock } from '../model/clock.js';
import { enabledIdentityProvider, type IdentityProvider } from '../model/identity-provider.js';
import { isSameSecret } from '../model/same-secret.js';
import { PageRefusal } from '../oidc/authorization/authorization-request.js';
import { BrokerFailure } from './broker-failure.js';
import { accountName, brokeredIdentity } from './brokered-identity.js';
import { type Brokering, unknownProviderRefusal } from './brokering.js';
import { sessionNotes } from './mappers.js';
import { mergeClaims } from './provider-claims.js';
import type { ProviderRequests } from './provider-requests.js';
import type { ProviderTokens } from './provider-tokens.js';
import { ID_TOKEN_NOTE, providerNotes } from './session-of-provider.js';
import { addStoredToken } from './stored-token.js';

export interface CallbackParts extends LoginActionParts {
  readonly brokering: Brokering;
  readonly requests: ProviderRequests;
  readonly tokens: ProviderTokens;
  readonly logger: Logger;
  readonly keys: KeyRing;
  readonly clock: Clock;
}

const EVENT_TYPE = 'IDENTITY_PROVIDER_LOGIN';

/**
 * Handles a browser that returns from an identity provider (OpenID Connect Core §3.1.2.5), in the authentication
 * session that it was redirected from.
 * @throws PageRefusal
 */
export async function handleCallback(
  parts: CallbackParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  { alias, query }: { readonly alias: string; readonly query: Form },
): Promise<void> {
  const { realm } = exchange;
  const { away } = authentication;
  const isExpected = away?.alias === alias && isSameSecret(query.get('state'), away.state);
  // Reject the response if another request has moved the login to another step since then, because the response belongs
  // to an earlier step.
  if (!isExpected || away.from !== flowPosition(authentication)) {
    if (isExpected) delete authentication.away;
    throw new PageRefusal('invalid_code', { key: 'invalidCodeMessage' }, { client, eventType: EVENT_TYPE });
  }
  // The state works once, even if the login then fails.
  delete authentication.away;
  const provider = enabledIdentityProvider(realm, alias);
  if (provider === undefined) throw unknownProviderRefusal(alias, client);
  try {
    checkResponse(provider, query);
    const error = query.get('error');
    if (error === 'access_denied') return await returnToLogin(parts, exchange, authentication, client, provider);
    if (error !== undefined) throw new BrokerFailure(`the provider answered ${describeError(error)}`);
    const { claims, idToken, tokenResponse } = await fetchClaims(
      parts,
      exchange,
      provider,
      query.get('code') ?? '',
      away,
    );
    const account = brokeredIdentity(realm, provider, claims);
    const identity = provider.storesToken ? await addStoredToken(parts, realm, account, tokenResponse) : account;
    if (authentication.at === 'required-action') authentication.linking = identity;
    else {
      authentication.brokered = { identity, stage: 'first-broker-login' };
      Object.assign(authentication.notes, sessionNotes(provider), providerNotes(provider, claims), {
        identity_provider: alias,
        identity_provider_identity: accountName(identity),
        [ID_TOKEN_NOTE]: idToken,
      });
      await parts.brokering.continueWithAccount(exchange, authentication, client, provider);
    }
  } catch (error) {
    if (!(error instanceof BrokerFailure)) throw error;
    parts.logger.warn('login with an identity provider failed', { realm: realm.name, alias, reason: error.message });
    const details = { identity_provider: alias, reason: error.message };
    const options = { status: 502, client, eventType: EVENT_TYPE, details };
    const code = query.isPresent('error') ? 'identity_provider_error' : 'identity_provider_login_failure';
    throw new PageRefusal(code, { key: error.messageKey }, options);
  }
  await parts.login.proceed(exchange, authentication, client);
}

/** Checks the response's parameters. If it has an issuer, it must be this provider's (RFC 9207). */
function checkResponse({ issuers }: IdentityProvider, query: Form): void {
  const messageKey = 'identityProviderInvalidResponseMessage';
  if (query.duplicate() !== undefined) throw new BrokerFailure('the response has a parameter twice', { messageKey });
  const issuer = query.get('iss');
  if (issuer !== undefined && issuers.length > 0 && !issuers.includes(issuer)) {
    throw new BrokerFailure('the response is from another issuer', { messageKey });
  }
  if (!query.isPresent('error') && !query.isPresent('code'))
    throw new BrokerFailure('the response has no code', { messageKey });
}

/** Returns to the login after the user has cancelled at the identity provider. */
async function returnToLogin(
  parts: CallbackParts,
  exchange: Exchange,
  authentication: HostAuthenticationSession,
  client: Client,
  provider: IdentityProvider,
): Promise<void> {
  const { alias, displayName } = provider;
  emitLoginEvent(parts.events, exchange, authentication, EVENT_TYPE, {
    error: 'access_denied',
    details: { identity_provider: alias },
  });
  if (authentication.at === 'required-action') {
    authentication.actionStatus = 'cancelled';
    authentication.passed.add(authentication.waitsFor ?? '');
  } else authentication.notice = { severity: 'error', key: 'accessDeniedWhenIdpAuth', params: [displayName] };
  delete authentication.waitsFor;
  await parts.login.proceed(exchange, authentication, client);
}

/**
 * Redeems the code and merges the provider's claims about the account. Those of the ID token take precedence, then
 * those of the access token, then userinfo, if they are configured.
 */
async function fetchClaims(
  { requests, tokens }: CallbackParts,
  { realm }: Exchange,
  provider: IdentityProvider,
  code: string,
  { nonce, verifier }: ProviderRedirect,
): Promise<{ claims: JsonObject; idToken: string; tokenResponse: JsonObject }> {
  const {
    idToken,
    accessToken,
    response: tokenResponse,
  } = await requests.redeemCode(realm, provider, { code, verifier });
  const claims = await tokens.verifyIdToken(realm.name, provider, idToken, nonce);
  const readsAccessToken = provider.readsAccessToken && accessToken !== undefined;
  const accessClaims = readsAccessToken ? await tokens.verifyAccessToken(realm.name, provider, accessToken) : {};
  if (provider.userInfoUrl === undefined || accessToken === undefined) {
    return { claims: mergeClaims([claims, accessClaims]), idToken, tokenResponse };
  }
  const userinfo = await requests.fetchUserinfo(provider.userInfoUrl, accessToken);
  if (userinfo.sub !== claims.sub) throw new BrokerFailure('its userinfo is about another user');
  return { claims: mergeClaims([claims, accessClaims, userinfo]), idToken, tokenResponse };
}

/** OAuth's error codes are lower-case words. Anything else may be free text and is not repeated. */
function describeError(error: string): string {
  return /^[a-z_]{1,64}$/.test(error) ? error : 'with an error';
}
