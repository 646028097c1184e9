import { HostError, type Message } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { shorten } from '../../model/shortened.js';
import type { WantedLevel } from '../../tokens/acr.js';
import type { ClaimsByDestination } from '../../tokens/requested-claims.js';
import type { ChosenFlow } from '../client-policy-requests.js';
import type { ProofKey } from './proof-key.js';

export type ResponseMode = 'query' | 'fragment' | 'form_post';

/** A checked authorization request: plain data, so that it can be stored while the user signs in. */
export interface AuthorizationRequest extends ProofKey {
  readonly clientId: string;
  readonly redirectUri: string;
  /** The `redirect_uri` parameter, which the token request must repeat (RFC 6749 §4.1.3); absent if it was not sent. */
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
  /** The only user who may sign in for the request: from its `id_token_hint`, or from `sub` in its `claims`. */
  readonly hintedSubject?: string;
  /** RFC 8628: the code of the device that this login is for. Its response is a page of the host. */
  readonly userCode?: string;
  /** The requested level of authentication. */
  readonly acr?: WantedLevel;
  /** The flow of the login, if a client policy has chosen one. */
  readonly flow?: ChosenFlow;
  /** The contents of its `claims` parameter. */
  readonly claims?: ClaimsByDestination;
  /** Keycloak's `kc_action`: a required action that the application requests, `NAME` or `NAME:parameter`. */
  readonly initiatedAction?: string;
  /** Keycloak's `kc_idp_hint`: the alias of the identity provider that the application prefers. */
  readonly identityProviderHint?: string;
  /**
   * Set for an action link outside a login: its user does required actions and is not signed in. Its response is a page
   * of the host.
   */
  readonly linkOnly?: true;
  /**
   * Set for a link outside a login that signs its user in: the page to redirect to, without an authorization response.
   */
  readonly signsIn?: { readonly target?: string | undefined };
  /** Set for a pushed request: its name among the logins under way. */
  readonly pushed?: string;
}

/** The destination and format of an authorization response. */
export type AnswerTarget = Pick<
  AuthorizationRequest,
  'clientId' | 'redirectUri' | 'responseMode' | 'state' | 'userCode' | 'linkOnly'
>;

/** An error that is shown on a page, because the request has no usable redirect URI. */
export class PageRefusal extends HostError {
  override readonly name = 'PageRefusal';
  readonly eventError: string;
  readonly text: Message;
  readonly client: Client | undefined;
  /** The event's type, without `_ERROR`. */
  readonly eventType: string;
  /** More details for the event. */
  readonly details: Readonly<Record<string, string>>;
  /** The user of the event, if known. */
  readonly userId: string | undefined;

  constructor(
    eventError: string,
    text: Message,
    options: {
      status?: number;
      client?: Client | undefined;
      eventType?: string;
      details?: Readonly<Record<string, string>>;
      userId?: string;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    const { status = 400, headers = {}, cause } = options;
    super('authorization_refused', text.key, { status, headers, cause });
    this.eventError = eventError;
    this.text = text;
    this.client = options.client;
    this.eventType = options.eventType ?? 'LOGIN';
    this.details = options.details ?? {};
    this.userId = options.userId;
  }
}

/** Maximum length of a description in a URL. */
const DESCRIPTION_LIMIT = 1000;

/** An error that is sent to the client's redirect URI (RFC 6749 §4.1.2.1). */
export class RedirectedError extends HostError {
  override readonly name: string = 'RedirectedError';
  readonly error: string;
  readonly description: string | undefined;
  readonly target: AnswerTarget;
  /** More details for the event. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    target: AnswerTarget,
    error: string,
    description?: string,
    { details = {}, cause }: { readonly details?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(error, description ?? error, { status: 400, expose: true, cause });
    this.error = error;
    this.description = description === undefined ? undefined : shorten(description, DESCRIPTION_LIMIT);
    this.target = target;
    this.details = details;
  }
}

/**
 * A request with `prompt=none` would need user interaction (OpenID Connect Core §3.1.2.6). Applications use it at each
 * load to check for a session, so the refusal is no failed login and emits no event, as in Keycloak.
 */
export class SilentRequestRefusal extends RedirectedError {
  override readonly name = 'SilentRequestRefusal';

  constructor(target: AnswerTarget, error: 'login_required' | 'interaction_required') {
    super(target, error);
  }
}
