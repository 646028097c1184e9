import { GrantType, type JsonObject, OAuthError, provide } from '@keyhost/spi';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { IMPERSONATOR_CLIENT } from '../../sessions/lifespans.js';
import { planTokens, type TokenPlan } from '../../tokens/token-plan.js';
import { type ExchangeRequest, TOKEN_EXCHANGE, TOKEN_TYPE } from './exchange-request.js';
import type { GrantCheck } from './granted-tokens.js';
import { mayImpersonate } from './impersonation.js';
import { clientOf, type GrantServices } from './services.js';
import { requireExchange, requireExchangeFor, standardExchange } from './standard-token-exchange.js';

/**
 * Token exchange. With `subject_token`: RFC 8693, Keycloak's standard exchange. Without it and with
 * `requested_subject`: direct naked impersonation. The presence of the parameter decides, not its value.
 */
export const tokenExchange = (services: GrantServices) =>
  provide(GrantType, {
    id: TOKEN_EXCHANGE,
    eventType: 'TOKEN_EXCHANGE',
    repeatable: ['audience', 'resource'],
    open: () => ({
      create: (session: HostSession) => ({
        async authorize({ client: { clientId }, form, repeated }) {
          const realm = session.compiledRealm;
          const client = clientOf(session, clientId);
          const audiences = repeated.audience ?? (form.audience === undefined ? [] : [form.audience]);
          const request = { realm, client, session, form, audiences };
          if (form.subject_token !== undefined) {
            if (form.subject_token.trim() === '') {
              throw new OAuthError('invalid_request', 'Invalid token', { eventError: 'invalid_token' });
            }
            return planTokens(await standardExchange(services, request));
          }
          if (form.requested_subject === undefined || form.requested_subject === '') {
            throw new OAuthError('invalid_request', "Parameter 'subject_token' required for standard token exchange");
          }
          return planTokens(await impersonate(services, request));
        },
      }),
    }),
  });

export const checkTokenExchange: GrantCheck = ({
  realm,
  client,
  user,
  granted: { exact: impersonation, audience = [] },
}) => {
  if (impersonation !== undefined) {
    if (mayImpersonate(realm, client, user, impersonation)) return;
    throw new OAuthError('access_denied', 'Client not allowed to exchange', { eventError: 'not_allowed' });
  }
  requireExchange(client);
  requireExchangeFor(realm, client, audience);
  if (!client.settings.exchangesForRefreshTokens) {
    throw new OAuthError('invalid_request', 'Client not allowed to exchange for refresh tokens');
  }
};

async function impersonate(services: GrantServices, request: ExchangeRequest): Promise<TokenPlan> {
  const { realm, client, session, form, audiences } = request;
  const subject = form.requested_subject ?? '';
  const details = { requested_subject: subject, impersonator: client.clientId };
  const accessDenied = (reason: string, eventError = 'not_allowed') =>
    new OAuthError('access_denied', 'Client not allowed to exchange', {
      status: 403,
      eventError,
      details: { ...details, reason },
    });
  if (client.impersonation === undefined || client.publicClient)
    throw accessDenied('the client has no impersonation entry');
  for (const unsupported of ['subject_issuer', 'requested_issuer', 'actor_token', 'subject_token_type']) {
    if (form[unsupported] !== undefined) {
      throw new OAuthError(
        'invalid_request',
        `Parameter '${unsupported}' is not supported for direct naked impersonation`,
      );
    }
  }
  const { scope } = form;
  if (scope === undefined || scope === '') throw new OAuthError('invalid_request', 'Missing parameter: scope');
  if (audiences.length !== 1 || audiences[0] === undefined) {
    const problem = audiences.length === 0 ? 'Missing parameter: audience' : 'Only one audience is supported';
    throw new OAuthError('invalid_request', problem);
  }
  const audience = audiences[0];
  const type = form.requested_token_type ?? TOKEN_TYPE.refresh;
  if (type !== TOKEN_TYPE.refresh && type !== TOKEN_TYPE.access) {
    throw new OAuthError('invalid_request', 'requested_token_type unsupported');
  }
  const user = (await services.users.byId(realm, subject)) ?? (await services.users.byUsername(realm, subject));
  if (user === undefined) throw accessDenied('the requested subject does not exist');
  if (!mayImpersonate(realm, client, user, { scope, audience })) throw accessDenied('outside the impersonation entry');
  const account = await services.users.serviceAccount(realm, client);
  const actor: JsonObject = { sub: account?.id ?? client.id, client_id: client.clientId };
  const plan = {
    client,
    user,
    selection: client.selectScope(undefined),
    grant: 'te',
    granted: { by: TOKEN_EXCHANGE, exact: { scope, audience, actor } },
    idToken: false,
    details: { ...details, audience, requested_token_type: type, username: user.username },
  };
  if (type === TOKEN_TYPE.access) return { ...plan, response: { issued_token_type: TOKEN_TYPE.access } };
  const login = await services.tokenSessions.start({
    realm,
    client,
    user,
    session,
    scope,
    authMethod: 'impersonate',
    notes: { [IMPERSONATOR_CLIENT]: client.clientId },
  });
  const issuedType = login.refresh === undefined ? TOKEN_TYPE.access : TOKEN_TYPE.refresh;
  return { ...plan, ...login, response: { issued_token_type: issuedType } };
}
