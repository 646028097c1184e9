import type { Form } from '../http/form.js';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import type { Realm } from '../model/realm.js';
import type {
  PolicyClientRequest,
  RequestEffects,
  RequestEvent,
} from '../realms/client-policies/client-policy-events.js';
import { maskUnknown } from '../realms/client-policies/parameters-for-plugins.js';
import { clientPoliciesOf } from '../realms/client-policies/policies.js';
import type { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import { ClientPolicyRefused } from '../realms/client-policies/refuse.js';
import type { TokenPlan } from '../tokens/token-plan.js';

/** The client policies' event for a request that a client authenticates, by its event type. */
const REQUEST_EVENT_BY_TYPE: ReadonlyMap<string, RequestEvent> = new Map([
  ['INTROSPECT_TOKEN', 'TOKEN_INTROSPECT'],
  ['REVOKE_GRANT', 'TOKEN_REVOKE'],
  ['LOGOUT', 'LOGOUT_REQUEST'],
  ['PUSHED_AUTHORIZATION_REQUEST', 'PUSHED_AUTHORIZATION_REQUEST'],
  ['OAUTH2_DEVICE_AUTH', 'DEVICE_AUTHORIZATION_REQUEST'],
]);
/** The client policies' event for a token request, by grant. A plugin's grant is `TOKEN_REQUEST`. */
const REQUEST_EVENT_BY_GRANT: ReadonlyMap<string, RequestEvent> = new Map([
  ['authorization_code', 'TOKEN_REQUEST'],
  ['refresh_token', 'TOKEN_REFRESH'],
  ['client_credentials', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
  ['password', 'RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'TOKEN_EXCHANGE_REQUEST'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'DEVICE_TOKEN_REQUEST'],
]);
/** Events that are evaluated after the grant, because the code or token contains the scope. */
const SCOPE_KNOWN_AFTERWARDS: ReadonlySet<RequestEvent> = new Set([
  'TOKEN_REQUEST',
  'TOKEN_REFRESH',
  'DEVICE_TOKEN_REQUEST',
]);

/** The client policies' decisions about one token request. */
export interface TokenPolicies {
  /**
   * Call before the grant has effects. Undefined if no plugin must be awaited.
   * @throws OAuthError
   */
  beforeGrant(): Promise<void> | undefined;
  /**
   * Call before tokens are issued. Undefined if no plugin must be awaited.
   * @param scope of the tokens
   * @throws OAuthError
   */
  beforeTokens(scope: string): Promise<void> | undefined;
  /** Lifetime in seconds that a secret without an expiry must get; undefined if no policy requires one. */
  readonly secretPeriod: number | undefined;
  /** The token plan with the changes that the policies demand. */
  applyTo(plan: TokenPlan): TokenPlan;
}

/** A request of an authenticated client, and the plugins that may have to evaluate it. */
interface PolicyRequest {
  readonly client: Client;
  readonly form: Form;
  /** The caller's IP address. */
  readonly ip: string;
  readonly plugins: PolicyPlugins;
}

/** The policies for a token request. Undefined if the realm has none, which is the usual case. */
export function tokenPolicies(
  realm: Realm,
  grantType: string,
  { client, form, ip, plugins }: PolicyRequest,
): TokenPolicies | undefined {
  const policies = clientPoliciesOf(realm);
  if (policies === undefined) return undefined;
  const builtInEvent = REQUEST_EVENT_BY_GRANT.get(grantType);
  const event = builtInEvent ?? 'TOKEN_REQUEST';
  const { issuer } = realm;
  let secretPeriod: number | undefined;
  let allowedScopes: readonly string[] | undefined;
  const changes: { lightweight?: true; withholdRefreshToken?: true } = {};
  const effects: Partial<RequestEffects> = {
    endSecret(seconds) {
      secretPeriod = Math.min(secretPeriod ?? seconds, seconds);
    },
    lighten() {
      changes.lightweight = true;
    },
    withholdRefreshToken() {
      changes.withholdRefreshToken = true;
    },
    narrowScope(names) {
      allowedScopes = allowedScopes === undefined ? names : allowedScopes.filter((name) => names.includes(name));
    },
  };
  const realmPlugins = plugins.createFor(realm);
  const parameters = builtInEvent === undefined ? parametersOfPlugin(form) : parametersOf(form);
  const evaluate = (scope: string | undefined) =>
    policies.request({ event, client, issuer, scope, ...parameters, ip, effects }, realmPlugins);
  const isEvaluatedAfterGrant = SCOPE_KNOWN_AFTERWARDS.has(event);
  return {
    beforeGrant: () => (isEvaluatedAfterGrant ? undefined : evaluate(form.get('scope'))),
    beforeTokens: (scope) => (isEvaluatedAfterGrant ? evaluate(scope) : undefined),
    get secretPeriod() {
      return secretPeriod;
    },
    applyTo: (plan) => ({
      ...plan,
      ...changes,
      ...(allowedScopes === undefined ? {} : limitScopes(plan, allowedScopes)),
    }),
  };
}

/** Limits the plan to these scopes. Each refresh is limited too, because the limit is stored in the refresh token. */
function limitScopes(
  { client, selection, granted, ...plan }: TokenPlan,
  allowedScopes: readonly string[],
): Partial<TokenPlan> {
  const restricted = client.withinScopes(selection, allowedScopes);
  return {
    selection: restricted,
    idToken: plan.idToken && (restricted.openid || plan.idTokenAlone === true),
    granted: granted === undefined ? undefined : { ...granted, within: allowedScopes },
  };
}

function parametersOf(form: Form) {
  return { parameter: (name: string) => form.get(name), parameters: () => form.entries() };
}

/** The host cannot know which parameters of a plugin's grant are secret, so policies do not see unknown parameters. */
function parametersOfPlugin(form: Form) {
  return { ...parametersOf(form), parameters: () => maskUnknown(form.entries()) };
}

/**
 * Evaluates the realm's client policies for a client request that is neither a token nor an authorization request.
 * Undefined if no plugin must be awaited.
 * @throws OAuthError if a policy refuses the request
 */
export function evaluateClientRequest(
  realm: Realm,
  eventType: string,
  { client, form, ip, plugins }: PolicyRequest,
): Promise<void> | undefined {
  const event = REQUEST_EVENT_BY_TYPE.get(eventType);
  const policies = event && clientPoliciesOf(realm);
  if (event === undefined || policies === undefined) return undefined;
  const { issuer } = realm;
  return policies.request(
    { event, client, issuer, scope: form.get('scope'), ...parametersOf(form), ip },
    plugins.createFor(realm),
  );
}

/** A use of an access token that client policies evaluate. */
type TokenUse =
  | { readonly event: 'USERINFO_REQUEST'; readonly scope: string }
  /** Reading the stored tokens of the identity provider with this alias. */
  | { readonly event: 'IDENTITY_BROKERING_API'; readonly identityProvider: string };

/**
 * Evaluates the realm's client policies for a use of an access token. Returns the refusal, or undefined if there is
 * none; a promise if a plugin must be awaited.
 */
export function evaluateTokenUse(
  realm: Realm,
  use: TokenUse,
  { client, ip, plugins }: Omit<PolicyRequest, 'form'>,
): Refusal | Promise<Refusal> {
  const policies = clientPoliciesOf(realm);
  if (policies === undefined) return undefined;
  const request = { scope: undefined, ...use, client, issuer: realm.issuer, parameter: () => undefined, ip };
  return refusalOf(() => policies.request(request, plugins.createFor(realm)));
}

type Refusal = ClientPolicyRefused | undefined;

function refusalOf(evaluate: () => Promise<void> | undefined): Refusal | Promise<Refusal> {
  try {
    return evaluate()?.then(() => undefined, toRefusal);
  } catch (error) {
    return toRefusal(error);
  }
}

function toRefusal(error: unknown): ClientPolicyRefused {
  if (error instanceof ClientPolicyRefused) return error;
  throw error;
}

/** A flow that replaces the client's own. */
export interface ChosenFlow {
  readonly alias: string;
  /** The level of authentication that the login has after this flow. */
  readonly level?: number;
}

interface AuthorizationPolicyRequest extends PolicyRequest {
  readonly redirectUri: string;
  /** The requested acr values. Absent before they are read. */
  readonly levels?: readonly string[];
  readonly pushed?: PolicyClientRequest['pushed'];
}

/** Evaluates the realm's client policies for an authorization request. */
export async function evaluateAuthorization(
  event: 'PRE_AUTHORIZATION_REQUEST' | 'AUTHORIZATION_REQUEST',
  realm: Realm,
  { client, form, ip, plugins, redirectUri, levels, pushed }: AuthorizationPolicyRequest,
): Promise<{ readonly refused?: ClientPolicyRefused; readonly flow?: ChosenFlow }> {
  const policies = clientPoliciesOf(realm);
  if (policies === undefined) return {};
  let flow: ChosenFlow | undefined;
  const chooseFlow: RequestEffects['chooseFlow'] = (alias, level) => {
    flow = { alias, ...defined({ level }) };
  };
  const request: PolicyClientRequest = {
    event,
    client,
    redirectUri,
    issuer: realm.issuer,
    scope: form.get('scope'),
    ...parametersOf(form),
    ip,
    // The earlier event cannot choose a flow, because its choice would be ignored.
    ...defined({ levels, pushed, effects: event === 'AUTHORIZATION_REQUEST' ? { chooseFlow } : undefined }),
  };
  const refusal = await refusalOf(() => policies.request(request, plugins.createFor(realm)));
  return defined({ refused: refusal, flow: refusal === undefined ? flow : undefined });
}
