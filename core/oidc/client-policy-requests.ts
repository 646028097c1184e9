import type { Form } from '../http/form.js';
import type { Client } from '../model/client.js';
import { defined } from '../model/defined.js';
import type { Realm } from '../model/realm.js';
import type { RequestEffects, RequestEvent } from '../realms/client-policies/happenings.js';
import { clientPoliciesOf } from '../realms/client-policies/policies.js';
import { ClientPolicyRefused } from '../realms/client-policies/refuse.js';
import type { Issuance } from '../tokens/issuance.js';

/** What client policies call the requests that a client authenticates, by the type of their event. */
const BY_EVENT_TYPE: ReadonlyMap<string, RequestEvent> = new Map([
  ['INTROSPECT_TOKEN', 'TOKEN_INTROSPECT'],
  ['REVOKE_GRANT', 'TOKEN_REVOKE'],
  ['LOGOUT', 'LOGOUT_REQUEST'],
  ['PUSHED_AUTHORIZATION_REQUEST', 'PUSHED_AUTHORIZATION_REQUEST'],
  ['OAUTH2_DEVICE_AUTH', 'DEVICE_AUTHORIZATION_REQUEST'],
]);
/** What they call a token request, by its grant. */
const BY_GRANT: ReadonlyMap<string, RequestEvent> = new Map([
  ['authorization_code', 'TOKEN_REQUEST'],
  ['refresh_token', 'TOKEN_REFRESH'],
  ['client_credentials', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
  ['password', 'RESOURCE_OWNER_PASSWORD_CREDENTIALS_REQUEST'],
  ['urn:ietf:params:oauth:grant-type:token-exchange', 'TOKEN_EXCHANGE_REQUEST'],
  ['urn:ietf:params:oauth:grant-type:device_code', 'DEVICE_TOKEN_REQUEST'],
]);
/** Requests whose scope is that of what they redeem. */
const REDEEMING: ReadonlySet<RequestEvent> = new Set(['TOKEN_REQUEST', 'TOKEN_REFRESH', 'DEVICE_TOKEN_REQUEST']);

/** What client policies say of one token request. */
export interface TokenPolicies {
  /** Before the grant does anything. @throws OAuthError */
  before(): void;
  /** Before tokens are issued. @param scope of the tokens @throws OAuthError */
  after(scope: string): void;
  /** After how many seconds a secret that has no end is to end; undefined: no policy asks for one. */
  readonly secretPeriod: number | undefined;
  /** The tokens as the policies have them. */
  applied(plan: Issuance): Issuance;
}

/** Undefined where no policy judges the request, which is nearly always. */
export function tokenPolicies(realm: Realm, client: Client, grantType: string, form: Form): TokenPolicies | undefined {
  const policies = clientPoliciesOf(realm);
  const event = policies && BY_GRANT.get(grantType);
  if (policies === undefined || event === undefined) return undefined;
  const { issuer } = realm;
  let secretPeriod: number | undefined;
  let within: readonly string[] | undefined;
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
      within = within === undefined ? names : within.filter((name) => names.includes(name));
    },
  };
  const judge = (scope: string | undefined) =>
    policies.request({ event, client, issuer, scope, parameter: (name) => form.get(name), effects });
  const isRedeeming = REDEEMING.has(event);
  return {
    before: () => (isRedeeming ? undefined : judge(form.get('scope'))),
    after: (scope) => (isRedeeming ? judge(scope) : undefined),
    get secretPeriod() {
      return secretPeriod;
    },
    applied: (plan) => ({ ...plan, ...changes, ...(within === undefined ? {} : narrowed(plan, within)) }),
  };
}

/** Each refresh gives no more, either: what the tokens are restricted to travels in the refresh token. */
function narrowed({ client, selection, granted, ...plan }: Issuance, within: readonly string[]): Partial<Issuance> {
  const less = client.withinScopes(selection, within);
  return {
    selection: less,
    idToken: plan.idToken && (less.openid || plan.idTokenAlone === true),
    granted: granted === undefined ? undefined : { ...granted, within },
  };
}

/** @throws OAuthError for what the realm's client policies refuse of a request that is no token request and comes from no browser */
export function judgeClientRequest(realm: Realm, eventType: string, form: Form, client: Client): void {
  const event = BY_EVENT_TYPE.get(eventType);
  if (event === undefined) return;
  const parameter = (name: string) => form.get(name);
  const { issuer } = realm;
  clientPoliciesOf(realm)?.request({ event, client, issuer, scope: parameter('scope'), parameter });
}

/** What the realm's client policies refuse of a request with an access token of the client; undefined: nothing. */
export function refusedUserinfo(realm: Realm, client: Client, scope: string): ClientPolicyRefused | undefined {
  try {
    const { issuer } = realm;
    clientPoliciesOf(realm)?.request({ event: 'USERINFO_REQUEST', client, issuer, scope, parameter: () => undefined });
    return undefined;
  } catch (error) {
    if (error instanceof ClientPolicyRefused) return error;
    throw error;
  }
}

/** The flow that a login goes through in place of its client's. */
export interface LoginFlow {
  readonly alias: string;
  /** Of authentication, that the login has when it has come through. */
  readonly level?: number;
}

interface AuthorizationPolicyRequest {
  readonly client: Client;
  readonly redirectUri: string;
  /** The acr values that it asks for. Absent before they are read. */
  readonly levels?: readonly string[];
}

/** What the realm's client policies say of an authorization request. */
export function judgedAuthorization(
  event: 'PRE_AUTHORIZATION_REQUEST' | 'AUTHORIZATION_REQUEST',
  realm: Realm,
  form: Form,
  { client, redirectUri, levels }: AuthorizationPolicyRequest,
): { readonly refused?: ClientPolicyRefused; readonly flow?: LoginFlow } {
  let flow: LoginFlow | undefined;
  const chooseFlow: RequestEffects['chooseFlow'] = (alias, level) => {
    flow = { alias, ...defined({ level }) };
  };
  const parameter = (name: string) => form.get(name);
  try {
    clientPoliciesOf(realm)?.request({
      ...{ event, client, redirectUri, issuer: realm.issuer },
      ...{ scope: parameter('scope'), parameter, ...defined({ levels }), effects: { chooseFlow } },
    });
    return defined({ flow });
  } catch (error) {
    if (error instanceof ClientPolicyRefused) return { refused: error };
    throw error;
  }
}
