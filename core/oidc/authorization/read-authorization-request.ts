import type { Form } from '../../http/form.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Client } from '../../model/client.js';
import { defined } from '../../model/defined.js';
import type { Realm } from '../../model/realm.js';
import { wantedAcrs, wantedLevel } from '../../tokens/acr.js';
import { readIdTokenHint } from '../../tokens/id-token-hint.js';
import { type RequestedClaims, readRequestedClaims } from '../../tokens/requested-claims.js';
import { evaluateAuthorization } from '../client-policy-requests.js';
import { type AnswerTarget, type AuthorizationRequest, RedirectedError } from './authorization-request.js';
import { clientOfRequest, type PolicyContext } from './client-of-request.js';
import { readProofKey } from './proof-key.js';

const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;
const RESPONSE_TYPES = ['code', 'none'] as const;
/**
 * Unsupported parameters that would change the meaning of a request, and their errors (OpenID Connect Core §3.1.2.6).
 */
const UNSUPPORTED_PARAMETERS: readonly (readonly [string, string])[] = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
];
/** Maximum length of a parameter in characters; an `id_token_hint` may be as long as a token. */
const PARAMETER_LIMIT = 4000;
const STATE_LIMIT = 4000;

type Refuse = (error: string, description?: string) => RedirectedError;

/**
 * Reads the request and its client, with Keycloak's order of checks and texts (AuthorizationEndpointChecker).
 * @throws PageRefusal until the redirect URI is known, RedirectedError afterwards
 */
export async function readAuthorizationRequest(
  keys: KeyRing,
  realm: Realm,
  form: Form,
  policyContext: PolicyContext,
): Promise<{ request: AuthorizationRequest; client: Client }> {
  const { client, redirectUri } = await clientOfRequest(realm, form, policyContext);
  const target = targetOf(form, client, redirectUri);
  const refuse: Refuse = (...reason) => new RedirectedError(target, ...reason);
  const responseType = responseTypeOf(form, client, refuse);
  checkForm(form, refuse);
  const scope = form.get('scope');
  if (!client.selectScope(scope).isValid) throw refuse('invalid_scope', `Invalid scopes: ${scope}`);
  const prompts = promptsOf(form, refuse);
  const maxAge = maxAgeOf(form, refuse);
  const claims = claimsOf(form, refuse);
  const hintedSubject = await hintedSubjectOf(keys, realm, form, client, claims, refuse);
  const { refused: refusal, flow } = await evaluateAuthorization('AUTHORIZATION_REQUEST', realm, {
    client,
    form,
    redirectUri,
    ...policyContext,
    levels: wantedAcrs(client, claims, form.get('acr_values')),
  });
  if (refusal !== undefined) {
    const { error, errorDescription, details } = refusal;
    throw new RedirectedError(target, error, errorDescription, { details, cause: refusal });
  }
  const request: AuthorizationRequest = {
    ...target,
    responseType,
    prompts,
    ...defined({
      givenRedirectUri: form.get('redirect_uri'),
      scope,
      nonce: form.get('nonce'),
      loginHint: form.get('login_hint'),
      uiLocales: form.get('ui_locales'),
      initiatedAction: form.get('kc_action'),
      identityProviderHint: form.get('kc_idp_hint'),
      maxAge,
      hintedSubject,
      acr: wantedLevel(realm, client, claims, form.get('acr_values')),
      claims: claims?.wanted,
      flow,
    }),
    ...readProofKey(form, proofKeyMethod(client), (description) => refuse('invalid_request', description)),
  };
  return { request, client };
}

/**
 * The destination of the response. Errors go there too, so invalid values fall back to defaults here and are reported
 * later.
 */
function targetOf(form: Form, client: Client, redirectUri: string): AnswerTarget {
  const state = form.get('state');
  const requestedMode = form.get('response_mode');
  return {
    clientId: client.clientId,
    redirectUri,
    responseMode: RESPONSE_MODES.find((mode) => mode === requestedMode) ?? 'query',
    ...(state === undefined || state.length > STATE_LIMIT ? {} : { state }),
  };
}

function responseTypeOf(form: Form, client: Client, refuse: Refuse): AuthorizationRequest['responseType'] {
  // Check these first: a parameter that seems to be missing may be in an unsupported request object.
  for (const [name, error] of UNSUPPORTED_PARAMETERS) if (form.get(name) !== undefined) throw refuse(error);
  const requestedType = form.get('response_type');
  if (requestedType === undefined) throw refuse('invalid_request', 'Missing parameter: response_type');
  const responseType = RESPONSE_TYPES.find((type) => type === requestedType);
  if (responseType === undefined) throw refuse('unsupported_response_type');
  const mode = form.get('response_mode');
  if (mode !== undefined && !RESPONSE_MODES.some((supported) => supported === mode)) {
    throw refuse('invalid_request', 'Invalid parameter: response_mode');
  }
  if (!client.standardFlowEnabled) {
    throw refuse(
      'unauthorized_client',
      'Client is not allowed to initiate browser login with given response_type. Standard flow is disabled for the client.',
    );
  }
  return responseType;
}

function checkForm(form: Form, refuse: Refuse): void {
  if (form.duplicate() !== undefined) throw refuse('invalid_request', 'duplicated parameter');
  for (const [name, value] of form.entries()) {
    const isInvalid = name === 'id_token_hint' ? hasControlCharacters(value) : isMalformedParameter(value);
    if (isInvalid) throw refuse('invalid_request', `Invalid parameter: ${name.slice(0, 64)}`);
  }
}

function promptsOf(form: Form, refuse: Refuse): readonly string[] {
  const prompts = (form.get('prompt') ?? '').split(' ').filter((word) => word !== '');
  if (prompts.includes('none') && prompts.length > 1) throw refuse('invalid_request', 'Invalid parameter: prompt');
  return prompts;
}

function maxAgeOf(form: Form, refuse: Refuse): number | undefined {
  const maxAge = form.get('max_age');
  if (maxAge === undefined) return undefined;
  if (!/^\d{1,9}$/.test(maxAge)) throw refuse('invalid_request', 'Invalid parameter: max_age');
  return Number(maxAge);
}

/**
 * The only user that the client accepts, by its `id_token_hint` or `claims`. If the host ignored this, the client could
 * mistake another signed-in user for the one that it asked for.
 * @throws RedirectedError
 */
async function hintedSubjectOf(
  keys: KeyRing,
  realm: Realm,
  form: Form,
  client: Client,
  claims: RequestedClaims | undefined,
  refuse: Refuse,
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

function claimsOf(form: Form, refuse: Refuse): RequestedClaims | undefined {
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

/** True if the value is too long for a parameter, or has control characters. */
export function isMalformedParameter(value: string): boolean {
  return value.length > PARAMETER_LIMIT || hasControlCharacters(value);
}

function hasControlCharacters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return /[\u0000-\u001f\u007f]/.test(value);
}
