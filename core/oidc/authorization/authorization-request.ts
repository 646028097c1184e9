import { HostError, type Message } from '@keyhost/spi';
import type { Client } from '../../model/client.js';
import { shortened } from '../../model/shortened.js';
import type { WantedLevel } from '../../tokens/acr.js';
import type { ClaimsByAnswer } from '../../tokens/requested-claims.js';
import type { LoginFlow } from '../client-policy-requests.js';
import type { ProofKey } from './proof-key.js';

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
  /** The flow that its login goes through, where a client policy says so. */
  readonly flow?: LoginFlow;
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
  /** Of a link that belongs to no login, and signs its user in: where the browser goes then, without an answer. */
  readonly signsIn?: { readonly target?: string | undefined };
  /** Of a pushed request: its name among the logins under way. */
  readonly pushed?: string;
}

/** Where the answer to a request goes, and how. */
export type AnswerTarget = Pick<
  AuthorizationRequest,
  'clientId' | 'redirectUri' | 'responseMode' | 'state' | 'userCode' | 'linkOnly'
>;

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
  /** Of whom the event is, where that is known. */
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

/** Of what goes into an address. */
const DESCRIPTION_LIMIT = 1000;

/** Told to the client at its redirect URI (RFC 6749 §4.1.2.1). */
export class RedirectedError extends HostError {
  override readonly name: string = 'RedirectedError';
  readonly error: string;
  readonly description: string | undefined;
  readonly target: AnswerTarget;
  /** For the event, beside the reason. */
  readonly details: Readonly<Record<string, string>>;

  constructor(
    target: AnswerTarget,
    error: string,
    description?: string,
    { details = {}, cause }: { readonly details?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(error, description ?? error, { status: 400, expose: true, cause });
    this.error = error;
    this.description = description === undefined ? undefined : shortened(description, DESCRIPTION_LIMIT);
    this.target = target;
    this.details = details;
  }
}

/**
 * A request that shows no page (`prompt=none`, OpenID Connect Core §3.1.2.6) would have to ask its user something. Applications ask
 * at each load whether somebody is logged in: "nobody" is what they wanted to know and no failed login, so no event tells of it, as
 * in Keycloak.
 */
export class SilentRequestRefusal extends RedirectedError {
  override readonly name = 'SilentRequestRefusal';

  constructor(target: AnswerTarget, error: 'login_required' | 'interaction_required') {
    super(target, error);
  }
}
