import { hash } from 'node:crypto';
import { HostError, OAuthError } from '@keyhost/spi';
import { writeJson } from '../../http/errors.js';
import type { Endpoint, Exchange } from '../../http/exchange.js';
import { Form } from '../../http/form.js';
import type { KeyRing } from '../../keys/key-ring.js';
import type { Clock } from '../../model/clock.js';
import { randomToken } from '../../model/random-token.js';
import type { Realm } from '../../model/realm.js';
import type { PolicyPlugins } from '../../realms/client-policies/policy-evaluation.js';
import { ClientPolicyRefused } from '../../realms/client-policies/refuse.js';
import type { Store } from '../../store/store.js';
import type { ClientRequestHandler, ClientRequestRunner } from '../client-requests.js';
import { RequestLimit } from '../request-limit.js';
import { PageRefusal, RedirectedError } from './authorization-request.js';
import type { PolicyContext } from './client-of-request.js';
import { readAuthorizationRequest } from './read-authorization-request.js';

const KIND = 'pushed-authorization-request';
const REQUEST_URI_PREFIX = 'urn:ietf:params:oauth:request_uri:';
const CREDENTIAL_PARAMETERS = new Set(['client_secret', 'client_assertion', 'client_assertion_type']);

/** The pushed request of a `request_uri`. */
export interface PushedRequest {
  readonly name: string;
  /** Absent if it was redeemed before, has expired, or never existed. */
  readonly form?: Form;
}

/** The error for a `request_uri` that is unknown, used or expired. */
export function unusableRequestUri(): PageRefusal {
  return new PageRefusal('invalid_request', { key: 'invalidParameterMessage', params: ['request_uri'] });
}

/**
 * OAuth 2.0 Pushed Authorization Requests (RFC 9126): the client sends the request to the host before it redirects the
 * browser.
 */
export class PushedAuthorization {
  readonly #parts: {
    requests: ClientRequestRunner;
    store: Store;
    keys: KeyRing;
    clock: Clock;
    plugins: PolicyPlugins;
  };
  readonly #limit: RequestLimit;

  constructor(parts: {
    requests: ClientRequestRunner;
    store: Store;
    keys: KeyRing;
    clock: Clock;
    plugins: PolicyPlugins;
  }) {
    this.#parts = parts;
    this.#limit = new RequestLimit(parts.clock, 'parRequestsPerSecond');
  }

  /** `POST …/protocol/openid-connect/ext/par/request` */
  endpoint(): Endpoint {
    return {
      path: '/protocol/openid-connect/ext/par/request',
      cors: 'client',
      methods: { POST: (exchange) => this.#push(exchange) },
    };
  }

  /**
   * Redeems the pushed request that an authorization request names by its `request_uri`. Its parameters are returned
   * once, to its own client, within the realm attribute `parRequestUriLifespan` (60 seconds). After that, only its name
   * is returned.
   * @returns undefined for a request that was not pushed
   * @throws PageRefusal
   */
  async redeem(realm: Realm, form: Form): Promise<PushedRequest | undefined> {
    const uri = form.get('request_uri');
    // `readAuthorizationRequest` refuses the URIs of request objects.
    if (uri === undefined || !uri.startsWith(REQUEST_URI_PREFIX)) return undefined;
    if (form.all('request_uri').length > 1) throw unusableRequestUri();
    const key = requestKey(realm, uri);
    const outcome = await this.#parts.store.tickets.redeem({ ...key, now: this.#parts.clock.now() });
    if (outcome.outcome !== 'first') return { name: key.keyHash };
    const pushed = new Form(JSON.parse(outcome.payload) as [string, string][]);
    if (pushed.get('client_id') !== form.get('client_id')) throw unusableRequestUri();
    return { name: key.keyHash, form: pushed };
  }

  #push(exchange: Exchange): Promise<void> {
    const { realm, ctx } = exchange;
    const run: ClientRequestHandler = async (form, client, proofs) => {
      if (form.isPresent('request_uri'))
        throw new OAuthError('invalid_request', 'request_uri parameter is not allowed');
      const entries: [string, string][] = [['client_id', client.clientId]];
      for (const [name, value] of form.entries()) {
        const isCredential = CREDENTIAL_PARAMETERS.has(name) || proofs.includes(name);
        if (name !== 'client_id' && !isCredential) entries.push([name, value]);
      }
      await checkRequest(this.#parts.keys, realm, new Form(entries), {
        ip: exchange.ip,
        plugins: this.#parts.plugins,
        pushed: { otherParameters: [] },
      });
      const uri = `${REQUEST_URI_PREFIX}${randomToken(24)}`;
      const lifespan = realm.settings.pushedRequestLifespan;
      const expiresAt = this.#parts.clock.now() + lifespan * 1000;
      await this.#parts.store.tickets.issue({ ...requestKey(realm, uri), payload: JSON.stringify(entries), expiresAt });
      writeJson(ctx, 201, { request_uri: uri, expires_in: lifespan });
      return {};
    };
    return this.#parts.requests.serve(exchange, 'PUSHED_AUTHORIZATION_REQUEST', run, { limit: this.#limit });
  }
}

/** Runs the checks of the authorization endpoint, but reports errors to the client instead of the browser. */
async function checkRequest(keys: KeyRing, realm: Realm, form: Form, policyContext: PolicyContext): Promise<void> {
  try {
    await readAuthorizationRequest(keys, realm, form, policyContext);
  } catch (error) {
    // A policy refusal, or a policy that cannot be evaluated, is answered as by the other client endpoints.
    if (error instanceof HostError && error.cause instanceof ClientPolicyRefused) throw error.cause;
    if (error instanceof RedirectedError) throw new OAuthError(error.error, error.description);
    if (error instanceof PageRefusal) {
      const parameter = error.text.params?.[0];
      throw new OAuthError(
        'invalid_request',
        parameter === undefined ? error.text.key : `Invalid parameter: ${parameter}`,
      );
    }
    throw error;
  }
}

function requestKey(realm: Realm, uri: string) {
  return { realm: realm.name, kind: KIND, keyHash: hash('sha256', uri, 'base64url') };
}
