import { type GrantResult, GrantType, type JsonObject, OAuthError, type TokenEndpointResponse } from '@keyhost/spi';
import { allowOriginsOf, allowOriginsOfRealm } from '../http/cors.js';
import { toFailure, writeJson } from '../http/errors.js';
import { callerOf, type Endpoint, type Exchange } from '../http/exchange.js';
import { Form, readForm } from '../http/form.js';
import { withoutRetryAfter } from '../http/without-retry-after.js';
import type { Client } from '../model/client.js';
import { roundIntegers } from '../model/exact-json.js';
import { selectPermittedScope } from '../model/permitted-scope.js';
import type { Realm } from '../model/realm.js';
import { eventErrorOf } from '../model/thrown.js';
import type { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import type { NewEvent } from '../registry/events/complete-events.js';
import type { Events } from '../registry/events/events.js';
import { createProvider, enabledProvider } from '../registry/generations/realm-providers.js';
import type { Caller } from '../registry/sessions/caller.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { SessionFactory } from '../registry/sessions/session-factory.js';
import type { TokenSessions } from '../sessions/token-sessions.js';
import type { TokenIssuer } from '../tokens/issue-tokens.js';
import { type TokenPlan, tokenPlanOf } from '../tokens/token-plan.js';
import type { LoginFailures } from '../users/passwords/login-failures.js';
import { requireSignInAllowed } from '../users/passwords/require-sign-in-allowed.js';
import type { Users } from '../users/users.js';
import type { ClientAuthentication } from './client-authentication.js';
import { tokenPolicies } from './client-policy-requests.js';
import { grantForm } from './grant-form.js';
import { AUTHORIZATION_CODE } from './grants/authorization-code.js';
import { DEVICE_CODE_GRANT } from './grants/device-code.js';
import type { SecretExpiry } from './secret-expiry.js';

/** Maximum length of `scope` in characters. */
const SCOPE_LIMIT = 4000;
/** Grants that use up their code, even if the request then fails. */
const ONE_TIME_GRANTS: ReadonlySet<string> = new Set([AUTHORIZATION_CODE, DEVICE_CODE_GRANT]);
/** The event type of grants that sign a user in. */
const LOGIN_EVENT = 'LOGIN';

export interface TokenEndpointParts {
  readonly sessions: SessionFactory;
  readonly clients: ClientAuthentication;
  readonly issuer: TokenIssuer;
  readonly events: Events;
  readonly users: Users;
  readonly failures: LoginFailures;
  readonly tokenSessions: TokenSessions;
  readonly secretExpiry: SecretExpiry;
  readonly plugins: PolicyPlugins;
}

/** The state of a request, filled in phase by phase, for the event and for CORS. */
interface Progress {
  client?: Client;
  eventType: string;
  /** True if the tokens let the client act as another user. The event is then stored before they are returned. */
  isImpersonation?: boolean;
  /** True if the request's one-time code may be used up. */
  isRedeemed?: boolean;
  userId?: string;
  sessionId?: string;
  details: Record<string, string>;
  /** The grant, for the statistics; see NewEvent. */
  counted?: string;
  /**
   * Set if a plugin requests tokens in process. The headers then belong to the browser's request, and must not
   * authenticate the client.
   */
  readonly isInProcess?: true;
}

/**
 * `POST /realms/{realm}/protocol/openid-connect/token`. The endpoint runs the phases in Keycloak's order: grant type →
 * client → duplicates → the grant's own checks → tokens → event → response. A grant returns a plan of the tokens; the
 * endpoint issues them.
 */
export class TokenEndpoint {
  readonly #parts: TokenEndpointParts;

  constructor(parts: TokenEndpointParts) {
    this.#parts = parts;
  }

  endpoint(): Endpoint {
    return {
      path: '/protocol/openid-connect/token',
      cors: 'client',
      methods: { POST: (exchange) => this.#post(exchange) },
    };
  }

  async #post(exchange: Exchange): Promise<void> {
    const { ctx, realm } = exchange;
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('Pragma', 'no-cache');
    const progress: Progress = { eventType: LOGIN_EVENT, details: {} };
    try {
      const form = await readForm(ctx.req);
      writeJson(ctx, 200, await this.#run(realm, form, callerOf(exchange), progress));
    } finally {
      if (progress.client !== undefined) allowOriginsOf(ctx, progress.client);
      else allowOriginsOfRealm(ctx, realm);
    }
  }

  /** The endpoint without HTTP, for `session.tokenRequest`, with the same checks, events and response. */
  async inProcess(
    realm: Realm,
    values: Readonly<Record<string, string>>,
    caller: Caller,
  ): Promise<TokenEndpointResponse> {
    const headers = { 'cache-control': 'no-store', pragma: 'no-cache' };
    try {
      const form = new Form(Object.entries(values));
      const body = await this.#run(
        realm,
        form,
        { ...caller, authorization: undefined },
        { eventType: LOGIN_EVENT, details: {}, isInProcess: true },
      );
      return { status: 200, headers, body: roundIntegers(body) as JsonObject };
    } catch (error) {
      const failure = toFailure(error);
      if (failure.status >= 500) throw error;
      return { status: failure.status, headers: { ...headers, ...failure.headers }, body: failure.body };
    }
  }

  async #run(realm: Realm, form: Form, caller: Caller, progress: Progress): Promise<Record<string, unknown>> {
    const { sessions } = this.#parts;
    const session = sessions.create(realm, caller, 'keyhost');
    try {
      const body = await this.#runPhases(realm, form, caller, progress, session);
      const { eventType, userId: signedInUser } = progress;
      if (eventType === LOGIN_EVENT && signedInUser !== undefined)
        this.#parts.tokenSessions.recordSignIn(realm, signedInUser);
      if (progress.isImpersonation === true) await this.#emitStored(realm, progress, caller);
      else this.#emit(realm, progress, caller);
      return body;
    } catch (error) {
      const { error: code, eventError, description: reason, details, userId } = eventErrorOf(error);
      Object.assign(progress.details, details);
      if (userId !== undefined) progress.userId = userId;
      // As in Keycloak, the event of a failed authentication names the client that the request claims to be.
      progress.client ??= this.#parts.clients.claimedClient(realm, form, caller.authorization);
      // As in Keycloak, no event for a device that polls every few seconds (RFC 8628 §3.5).
      if (code !== 'authorization_pending') {
        if (reason !== undefined) progress.details.reason ??= reason;
        // `unknown_error`: the host or a plugin failed, for example a mapper threw.
        this.#emit(realm, progress, caller, eventError ?? code ?? 'unknown_error');
      }
      throw progress.isRedeemed === true ? withoutRetryAfter(error) : error;
    } finally {
      await session.close();
    }
  }

  async #runPhases(
    realm: Realm,
    form: Form,
    caller: Caller,
    progress: Progress,
    session: HostSession,
  ): Promise<Record<string, unknown>> {
    const { clients, issuer } = this.#parts;
    const grantType = form.get('grant_type');
    if (grantType === undefined) throw new OAuthError('invalid_request', 'Missing form parameter: grant_type');
    const grant = enabledProvider(session.generation, realm, GrantType, grantType);
    if (grant === undefined) throw new OAuthError('unsupported_grant_type', 'Unsupported grant_type');
    const { eventType, repeatable } = grant.registered.declaration;
    progress.eventType = eventType;
    progress.details.grant_type = grantType;
    progress.counted = `grant:${grantType}`;
    const { client, method, proofs } = await clients.authenticate(
      realm,
      form,
      progress.isInProcess === true ? {} : caller,
    );
    progress.client = client;
    progress.details.client_auth_method = method;
    if (client.bearerOnly) throw new OAuthError('invalid_client', 'Bearer-only not allowed');
    if (form.duplicate(repeatable) !== undefined) throw new OAuthError('invalid_request', 'duplicated parameter');
    if ((form.get('scope')?.length ?? 0) > SCOPE_LIMIT) throw new OAuthError('invalid_scope', 'Scope too long');
    const policies = tokenPolicies(realm, grantType, { client, form, ip: caller.ip, plugins: this.#parts.plugins });
    const requestCheck = policies?.beforeGrant();
    if (requestCheck !== undefined) await requestCheck;
    progress.isRedeemed = ONE_TIME_GRANTS.has(grantType);
    const pendingGrant = createProvider(grant, session).authorize({
      client: client.view,
      ...grantForm(form, { repeatable, proofs }),
    });
    const result = await (grant.registered.plugin.builtin ? pendingGrant : session.withTimeLimit(pendingGrant));
    // It is unknown whether the plugin's grant consumed a code, so assume that it did.
    if (!grant.registered.plugin.builtin) progress.isRedeemed = true;
    const builtInPlan = tokenPlanOf(result);
    const requestedPlan = builtInPlan ?? (await this.#planPluginTokens(realm, client, form, grantType, result));
    progress.userId = requestedPlan.user.id;
    const tokenCheck = policies?.beforeTokens(requestedPlan.selection.fullScope);
    if (tokenCheck !== undefined) await tokenCheck;
    const secretLifetime = policies?.secretPeriod;
    if (secretLifetime !== undefined) await this.#parts.secretExpiry.start(realm, client.id, secretLifetime);
    const restrictedPlan = policies?.applyTo(requestedPlan) ?? requestedPlan;
    const plan =
      builtInPlan === undefined ? await this.#startSession(realm, restrictedPlan, result, session) : restrictedPlan;
    if (plan.session !== undefined) progress.sessionId = plan.session.id;
    if (plan.granted?.exact !== undefined && plan.grant === 'te') progress.isImpersonation = true;
    const { body, details } = await issuer.issue(realm, plan, () => session);
    Object.assign(progress.details, details);
    return body;
  }

  /** Turns the result of a plugin's grant into a plan, with the checks that the built-in grants make themselves. */
  async #planPluginTokens(
    realm: Realm,
    client: Client,
    form: Form,
    grantType: string,
    result: GrantResult,
  ): Promise<TokenPlan> {
    const user = await this.#parts.users.byId(realm, result.userId);
    if (user === undefined || !user.enabled) {
      throw new OAuthError('invalid_grant', 'User not found', {
        eventError: user ? 'user_disabled' : 'user_not_found',
      });
    }
    await requireSignInAllowed(this.#parts.failures, realm, user);
    const scope = result.scope ?? form.get('scope');
    const selection = selectPermittedScope(realm, client, user, scope);
    if (!selection.isValid) throw new OAuthError('invalid_scope', `Invalid scopes: ${scope}`);
    const { audience } = result;
    const claims = { ...result.claims, ...(audience === undefined ? {} : { aud: [...audience] }) };
    return {
      client,
      user,
      selection,
      grant: 'na',
      idToken: selection.openid,
      granted: { by: grantType, claims },
      ...(result.response === undefined ? {} : { response: result.response }),
      ...(result.details === undefined ? {} : { details: result.details }),
    };
  }

  /** Starts a session for the tokens of a plugin's grant, unless the grant requested a transient one. */
  async #startSession(realm: Realm, plan: TokenPlan, { login }: GrantResult, session: HostSession): Promise<TokenPlan> {
    if (login === 'transient') return plan;
    const { client, user, selection } = plan;
    const sessionRequest = { realm, client, user, session, scope: selection.fullScope, authMethod: 'openid-connect' };
    return { ...plan, ...(await this.#parts.tokenSessions.start(sessionRequest)) };
  }

  #emit(realm: Realm, progress: Progress, caller: Caller, error?: string): void {
    const { events, sessions } = this.#parts;
    events.emit(realm, eventOf(progress, caller, error), () => sessions.create(realm, caller, 'keyhost'));
  }

  /** Stores the event. If that fails, ends the session that was started for the tokens. */
  async #emitStored(realm: Realm, progress: Progress, caller: Caller): Promise<void> {
    const { events, sessions, tokenSessions } = this.#parts;
    try {
      await events.emitStored(realm, eventOf(progress, caller), () => sessions.create(realm, caller, 'keyhost'));
    } catch (error) {
      if (progress.sessionId !== undefined) await tokenSessions.end(realm, progress.sessionId);
      throw error;
    }
  }
}

function eventOf(progress: Progress, caller: Caller, error?: string): NewEvent {
  const { eventType, client, userId, sessionId, details, counted } = progress;
  return {
    type: eventType,
    error,
    clientId: client?.clientId,
    userId,
    sessionId,
    ipAddress: caller.ip,
    details,
    counted,
  };
}
