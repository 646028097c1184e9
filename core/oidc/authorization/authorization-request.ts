import { HostError, type Message } from '@keyhost/spi';
import type { Form } from '../../http/form.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import { shortened } from '../../model/shortened.js';
import { type WantedLevel, wantedLevel } from '../../tokens/acr.js';
import { readIdTokenHint } from '../../tokens/id-token-hint.js';
import { type ClaimsByAnswer, type RequestedClaims, readRequestedClaims } from '../../tokens/requested-claims.js';
import { refusedAuthorization } from '../client-policy-requests.js';
import { type ProofKey, readProofKey } from './proof-key.js';
import { redirectUriOf } from './redirect-uris.js';

export type ResponseMode = 'query' | 'fragment' | 'form_post';

/** A checked authorization request: plain data, so that it can be kept while the user logs in. */
export interface AuthorizationRequest extends ProofKey {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The `redirect_uri` parameter, which the token request must repeat (RFC 6749 §4.1.3); absent when it was. */
  readonly givenRedirectUri?: string;
  readonly responseType: 'code' | 'none';
  readonly responseMode: ResponseMode;
  readonly scope?: string;
  readonly state?: string;
  readonly nonce?: string;
  readonly prompts: readonly string[];
  /** Seconds. */
  readonly maxAge?: number;
  readonly loginHint?: string;
  readonly uiLocales?: string;
  /** The only user whose login answers the request: of its `id_token_hint`, or of `sub` in its `claims`. */
  readonly hintedSubject?: string;
  /** RFC 8628: the code of the device that this login is for. Its answer goes to a page of the host. */
  readonly userCode?: string;
  /** The level of authentication that is asked for. */
  readonly acr?: WantedLevel;
  /** What its `claims` parameter asks for. */
  readonly claims?: ClaimsByAnswer;
  /** Keycloak's `kc_action`: a required action that the application asks for, `NAME` or `NAME:parameter`. */
  readonly initiatedAction?: string;
  /** Keycloak's `kc_idp_hint`: the alias of the identity provider that the application wants the login by. */
  readonly identityProviderHint?: string;
  /**
   * Of an action token's link that belongs to no login: its user does required actions and is not logged in. Its answer goes
   * to a page of the host.
   */
  readonly linkOnly?: true;
  /** Of a pushed request: its name among the logins under way. */
  readonly pushed?: string;
}

/** Shown on a page: there is no address that may be redirected to. */
export class PageRefusal extends HostError {
  override readonly name = 'PageRefusal';
  readonly eventError: string;
  readonly text: Message;
  readonly client: Client | undefined;
  /** Without `_ERROR`. */
  readonly eventType: string;
  /** For the event, beside the reason. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    eventError: string,
    text: Message,
    options: {
      status?: number;
      client?: Client | undefined;
      eventType?: string;
      details?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super('authorization_refused', text.key, { status: options.status ?? 400 });
    this.eventError = eventError;
    this.text = text;
    this.client = options.client;
    this.eventType = options.eventType ?? 'LOGIN';
    this.details = options.details ?? {};
  }
}

/** Of what goes into an address. */
const DESCRIPTION_LIMIT = 1000;

/** Told to the client at its redirect URI (RFC 6749 §4.1.2.1). */
export class RedirectedError extends HostError {
  override readonly name = 'RedirectedError';
  readonly error: string;
  readonly description: string | undefined;
  readonly target: Pick<
    AuthorizationRequest,
    'clientId' | 'redirectUri' | 'responseMode' | 'state' | 'userCode' | 'linkOnly'
  >;
  /** For the event, beside the reason. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    target: RedirectedError['target'],
    error: string,
    description?: string,
    details: Readonly<Record<string, string>> = {},
  ) {
    super(error, description ?? error, { status: 400, expose: true });
    this.error = error;
    this.description = description === undefined ? undefined : shortened(description, DESCRIPTION_LIMIT);
    this.target = target;
    this.details = details;
  }
}

const RESPONSE_MODES: readonly string[] = ['query', 'fragment', 'form_post'];
const RESPONSE_TYPES: readonly string[] = ['code', 'none'];
/** Parameters that change what a request means, and what they are refused with (OpenID Connect Core §3.1.2.6). */
const NOT_OFFERED: readonly (readonly [string, string])[] = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
];
/** Longest value of a parameter, in characters; an `id_token_hint` may be as long as a token. */
export const PARAMETER_LIMIT = 4000;
const STATE_LIMIT = 4000;

/**
 * The client of an authorization request, and where its answer goes. Nothing is redirected before both are known.
 * @throws PageRefusal in Keycloak's order of checks (AuthorizationEndpoint)
 */
export function clientOfRequest(realm: Realm, form: Form): { client: Client; redirectUri: string } {
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new PageRefusal('invalid_request', { key: 'missingParameterMessage', params: ['client_id'] });
  }
  if (form.duplicate() === 'client_id') throw repeated('client_id');
  const client = realm.clients.get(clientId);
  if (client === undefined) throw new PageRefusal('client_not_found', { key: 'clientNotFoundMessage' });
  if (!client.enabled) throw new PageRefusal('client_disabled', { key: 'clientDisabledMessage' });
  if (client.bearerOnly) {
    throw new PageRefusal('not_allowed', { key: 'bearerOnlyMessage' }, { status: 403, client });
  }
  if (client.protocol !== 'openid-connect') {
    throw new PageRefusal('invalid_client', { key: 'Wrong client protocol.' }, { client });
  }
  if (form.all('redirect_uri').length > 1) throw repeated('redirect_uri', client);
  const given = form.get('redirect_uri');
  const openid = (form.get('scope') ?? '').split(' ').includes('openid');
  const redirectUri = given === undefined && openid ? undefined : redirectUriOf(client, given);
  if (redirectUri === undefined) {
    const key = given === undefined ? 'missingParameterMessage' : 'invalidParameterMessage';
    throw new PageRefusal('invalid_redirect_uri', { key, params: ['redirect_uri'] }, { client });
  }
  const refusal = refusedAuthorization('PRE_AUTHORIZATION_REQUEST', realm, form, { client, redirectUri });
  if (refusal !== undefined) {
    // Nobody is sent to an address that is not secure enough.
    const { error, errorDescription: key = '', details } = refusal;
    throw new PageRefusal(error, { key }, { client, details });
  }
  return { client, redirectUri };
}

function repeated(name: string, client?: Client): PageRefusal {
  return new PageRefusal('invalid_request', { key: 'invalidParameterMessage', params: [name] }, { client });
}

/**
 * The request, checked in Keycloak's order with its texts (AuthorizationEndpointChecker).
 * @throws RedirectedError
 */
export async function readAuthorizationRequest(
  keys: KeyRing,
  realm: Realm,
  form: Form,
  client: Client,
  redirectUri: string,
): Promise<AuthorizationRequest> {
  const state = form.get('state');
  const responseType = form.get('response_type');
  const wantedMode = form.get('response_mode');
  const mode = RESPONSE_MODES.includes(wantedMode ?? '') ? (wantedMode as ResponseMode) : 'query';
  const target = {
    clientId: client.clientId,
    redirectUri,
    responseMode: mode,
    ...(state === undefined || state.length > STATE_LIMIT ? {} : { state }),
  };
  const refuse = (error: string, description?: string, details?: Readonly<Record<string, string>>) =>
    new RedirectedError(target, error, description, details);
  // A request object may hold what is missing here: what is wrong is that none is read.
  for (const [name, error] of NOT_OFFERED) if (form.get(name) !== undefined) throw refuse(error);
  if (responseType === undefined) throw refuse('invalid_request', 'Missing parameter: response_type');
  if (!RESPONSE_TYPES.includes(responseType)) throw refuse('unsupported_response_type');
  if (wantedMode !== undefined && !RESPONSE_MODES.includes(wantedMode)) {
    throw refuse('invalid_request', 'Invalid parameter: response_mode');
  }
  if (!client.standardFlowEnabled) {
    throw refuse(
      'unauthorized_client',
      'Client is not allowed to initiate browser login with given response_type. Standard flow is disabled for the client.',
    );
  }
  if (form.duplicate() !== undefined) throw refuse('invalid_request', 'duplicated parameter');
  for (const [name, value] of form.entries()) {
    const isLong = value.length > PARAMETER_LIMIT && name !== 'id_token_hint';
    if (isLong || hasControlCharacters(value)) {
      throw refuse('invalid_request', `Invalid parameter: ${name.slice(0, 64)}`);
    }
  }
  const scope = form.get('scope');
  if (!client.selectScope(scope).valid) throw refuse('invalid_scope', `Invalid scopes: ${scope}`);
  const prompts = (form.get('prompt') ?? '').split(' ').filter((word) => word !== '');
  if (prompts.includes('none') && prompts.length > 1) throw refuse('invalid_request', 'Invalid parameter: prompt');
  const maxAge = form.get('max_age');
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) throw refuse('invalid_request', 'Invalid parameter: max_age');
  const claims = requestedClaims(form, refuse);
  const hintedSubject = await hintedSubjectOf(keys, realm, form, client, claims, refuse);
  const refusal = refusedAuthorization('AUTHORIZATION_REQUEST', realm, form, { client, redirectUri });
  if (refusal !== undefined) throw refuse(refusal.error, refusal.errorDescription, refusal.details);
  const acr = wantedLevel(realm, client, claims, form.get('acr_values'));
  const optional = (name: string, member: string) => {
    const value = form.get(name);
    return value === undefined ? {} : { [member]: value };
  };
  return {
    ...target,
    responseType: responseType as 'code' | 'none',
    prompts,
    ...optional('redirect_uri', 'givenRedirectUri'),
    ...optional('scope', 'scope'),
    ...optional('nonce', 'nonce'),
    ...optional('login_hint', 'loginHint'),
    ...optional('ui_locales', 'uiLocales'),
    ...optional('kc_action', 'initiatedAction'),
    ...optional('kc_idp_hint', 'identityProviderHint'),
    ...(maxAge === undefined ? {} : { maxAge: Number(maxAge) }),
    ...(hintedSubject === undefined ? {} : { hintedSubject }),
    ...(acr === undefined ? {} : { acr }),
    ...(claims?.wanted === undefined ? {} : { claims: claims.wanted }),
    ...readProofKey(form, proofKeyMethod(client), (description) => refuse('invalid_request', description)),
  };
}

/**
 * Whom alone the client wants to hear of, by its `id_token_hint` or `claims`. Passed over, it would take whoever is
 * logged in for the user that it meant.
 * @throws RedirectedError
 */
async function hintedSubjectOf(
  keys: KeyRing,
  realm: Realm,
  form: Form,
  client: Client,
  claims: RequestedClaims | undefined,
  refuse: (error: string, description?: string) => RedirectedError,
): Promise<string | undefined> {
  const token = form.get('id_token_hint');
  const hint = token === undefined ? undefined : await readIdTokenHint(keys, realm, token);
  if (token !== undefined && hint?.clientId !== client.clientId) {
    throw refuse('invalid_request', 'Invalid parameter: id_token_hint');
  }
  const { subject } = claims ?? {};
  if (hint !== undefined && subject !== undefined && subject !== hint.subject) {
    throw refuse('invalid_request', 'Invalid parameter: claims');
  }
  return hint?.subject ?? subject;
}

function requestedClaims(
  form: Form,
  refuse: (error: string, description?: string) => RedirectedError,
): RequestedClaims | undefined {
  const claims = form.get('claims');
  if (claims === undefined) return undefined;
  const requested = readRequestedClaims(claims);
  if (requested === undefined) throw refuse('invalid_request', 'Invalid parameter: claims');
  return requested;
}

/** A public client must use S256 unless its attribute `pkce.code.challenge.method` is `none`. */
function proofKeyMethod({ settings, publicClient }: Client): string {
  return settings.pkceMethod ?? (publicClient ? 'S256' : '');
}

export function hasControlCharacters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return /[\u0000-\u001f\u007f]/.test(value);
}
