import type { Endpoint, Exchange } from '../../http/exchange.js';
import { type Form, parseForm, readForm } from '../../http/form.js';
import { lacksTls } from '../../http/realm-dispatch.js';
import type { RequestEvents } from '../../http/request-events.js';
import { withoutRetryAfter } from '../../http/without-retry-after.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import { linkToClient } from '../../model/link-to-client.js';
import type { PageWriter } from '../../pages/page-writer.js';
import type { PolicyPlugins } from '../../realms/client-policies/policy-evaluation.js';
import {
  type AuthorizationRequest,
  PageRefusal,
  RedirectedError,
  SilentRequestRefusal,
} from './authorization-request.js';
import { answerClient } from './authorization-response.js';
import { type PushedAuthorization, type PushedRequest, unusableRequestUri } from './pushed-authorization.js';
import { readAuthorizationRequest } from './read-authorization-request.js';

/** The browser login, which authenticates the user of a checked request and then sends the response. */
export interface BrowserLogin {
  begin(exchange: Exchange, request: AuthorizationRequest, client: Client): Promise<void>;
  /**
   * Removes and returns the login that this browser has in progress for a pushed request. Called if the browser reloads
   * the login page.
   * @returns undefined if there is none, or the client can no longer be answered
   */
  takePushed(
    exchange: Exchange,
    name: string,
    clientId: string | undefined,
  ): Promise<{ request: AuthorizationRequest; client: Client } | undefined>;
}

export interface AuthorizationParts {
  readonly pages: PageWriter;
  readonly events: RequestEvents;
  readonly login: BrowserLogin;
  readonly pushed: PushedAuthorization;
  readonly keys: KeyRing;
  readonly plugins: PolicyPlugins;
}

/**
 * `GET|POST …/protocol/openid-connect/auth` (OpenID Connect Core §3.1.2), and Keycloak's `GET …/registrations`: the
 * same with `prompt=create` (Initiating User Registration via OpenID Connect §4).
 */
export function authorizationEndpoints(parts: AuthorizationParts): Endpoint[] {
  const endpoint = { cors: 'none', skipsRealmChecks: true } as const;
  const parseQuery = ({ ctx }: Exchange) => parseForm(ctx.querystring);
  return [
    {
      ...endpoint,
      path: '/protocol/openid-connect/auth',
      methods: {
        GET: (exchange) => authorize(parts, exchange, () => parseQuery(exchange)),
        POST: (exchange) => authorize(parts, exchange, () => readForm(exchange.ctx.req)),
      },
    },
    {
      ...endpoint,
      path: '/protocol/openid-connect/registrations',
      methods: { GET: (exchange) => authorize(parts, exchange, () => parseQuery(exchange), ['create']) },
    },
  ];
}

async function authorize(
  parts: AuthorizationParts,
  exchange: Exchange,
  readParameters: () => Form | Promise<Form>,
  prompts: readonly string[] = [],
): Promise<void> {
  const { realm } = exchange;
  let pushed: PushedRequest | undefined;
  try {
    if (lacksTls(exchange)) throw new PageRefusal('ssl_required', { key: 'httpsRequiredMessage' });
    if (!realm.enabled) throw new PageRefusal('realm_disabled', { key: 'realmNotEnabledMessage' });
    const form = await readParameters();
    pushed = await parts.pushed.redeem(realm, form);
    if (pushed !== undefined && pushed.form === undefined)
      return await reloadPushed(parts, exchange, form, pushed.name);
    const { request, client } = await readAuthorizationRequest(parts.keys, realm, pushed?.form ?? form, {
      ip: exchange.ip,
      plugins: parts.plugins,
      ...(pushed === undefined ? {} : { pushed: { otherParameters: additionalParameters(form) } }),
    });
    // RFC 9126 §6; the text is Keycloak's.
    if (pushed === undefined && client.settings.requiresPushedRequests) {
      throw new RedirectedError(request, 'invalid_request', 'Pushed Authorization Request is only allowed.');
    }
    const promptedRequest = { ...request, prompts: [...request.prompts, ...prompts] };
    await parts.login.begin(
      exchange,
      pushed === undefined ? promptedRequest : { ...promptedRequest, pushed: pushed.name },
      client,
    );
  } catch (error) {
    await answerAuthorizationError(parts, exchange, pushed?.form === undefined ? error : withoutRetryAfter(error));
  }
}

/** Names of the parameters in addition to the `request_uri` of a pushed request. */
function additionalParameters(form: Form): string[] {
  return [...form.entries()].map(([name]) => name).filter((name) => name !== 'request_uri');
}

/**
 * The browser reloads the page of a pushed request. The request is used up for all others, but continues here until its
 * login ends.
 */
async function reloadPushed(parts: AuthorizationParts, exchange: Exchange, form: Form, name: string): Promise<void> {
  const login = await parts.login.takePushed(exchange, name, form.get('client_id'));
  if (login === undefined) throw unusableRequestUri();
  await parts.login.begin(exchange, login.request, login.client);
}

/** Shows refusals on a page, or sends them to the client; rethrows all other errors. */
export async function answerAuthorizationError(
  { pages, events }: Pick<AuthorizationParts, 'pages' | 'events'>,
  exchange: Exchange,
  error: unknown,
): Promise<void> {
  if (error instanceof PageRefusal) {
    const { eventType: type, eventError, client, userId } = error;
    const details = { reason: pages.english(error.text), ...error.details };
    events.emit(exchange, { type, error: eventError, clientId: client?.clientId, userId, details });
    const message = { severity: 'error' as const, ...error.text };
    exchange.ctx.set({ ...error.headers });
    await pages.show(
      exchange,
      error.status,
      { page: 'error', ...linkToClient('backUrl', error.client) },
      { client: error.client, message },
    );
    return;
  }
  if (error instanceof RedirectedError) {
    const { error: code, description, details } = error;
    const isFailedLogin = !(error instanceof SilentRequestRefusal);
    if (isFailedLogin)
      events.emit(exchange, {
        type: 'LOGIN',
        error: code,
        clientId: error.target.clientId,
        details: { ...defined({ reason: description }), ...details },
      });
    await answerClient(pages, exchange, error.target, { error: code, error_description: description });
    return;
  }
  throw error;
}
