import { OAuthError } from '@keyhost/spi';
import { allowOriginsOf, allowOriginsOfRealm } from '../http/cors.js';
import type { Exchange } from '../http/exchange.js';
import { type Form, readForm } from '../http/form.js';
import type { RequestEvents } from '../http/request-events.js';
import type { Client } from '../model/client.js';
import { eventErrorOf } from '../model/thrown.js';
import type { PolicyPlugins } from '../realms/client-policies/policy-evaluation.js';
import type { NewEvent } from '../registry/events/complete-events.js';
import type { ClientAuthentication } from './client-authentication.js';
import { evaluateClientRequest } from './client-policy-requests.js';
import type { RequestLimit } from './request-limit.js';

const PROTOCOL = '/protocol/openid-connect/';

/**
 * Handles a request of an authenticated client.
 * @param proofs names of the parameters that proved the client's identity to a plugin
 * @returns details for the event
 */
export type ClientRequestHandler = (
  form: Form,
  client: Client,
  proofs: readonly string[],
) => Promise<Readonly<Record<string, string>>>;

/**
 * Runs the endpoints, other than the token endpoint, whose requests a client authenticates: introspection, revocation
 * and so on.
 */
export class ClientRequestRunner {
  readonly #parts: { clients: ClientAuthentication; events: RequestEvents; plugins: PolicyPlugins };

  constructor(parts: { clients: ClientAuthentication; events: RequestEvents; plugins: PolicyPlugins }) {
    this.#parts = parts;
  }

  /**
   * Reads the form, authenticates the client, calls `run`, and emits the event.
   * @param eventType emitted with `_ERROR` if the request fails with an OAuthError or with 503
   * @param options.form the form, if the caller has already read it
   * @param options.limit the rate limit per client
   * @param options.about additional members of the event. `run` may set `error` for a request that is answered without
   * one
   */
  async serve(
    exchange: Exchange,
    eventType: string,
    run: ClientRequestHandler,
    options: {
      readonly form?: Form;
      readonly limit?: RequestLimit;
      readonly about?: Pick<NewEvent, 'userId' | 'sessionId' | 'error'>;
    } = {},
  ): Promise<void> {
    const { ctx, realm } = exchange;
    ctx.res.setHeader('Cache-Control', 'no-store');
    ctx.res.setHeader('Pragma', 'no-cache');
    const { authorization } = ctx.req.headers;
    const credentials = { authorization, headers: () => ctx.req.headersDistinct };
    let form: Form | undefined;
    let client: Client | undefined;
    try {
      form = options.form ?? (await readForm(ctx.req));
      const authenticated = await this.#parts.clients.authenticate(realm, form, credentials, endpointUrl(exchange));
      client = authenticated.client;
      options.limit?.count(exchange, client);
      if (form.duplicate() !== undefined) throw new OAuthError('invalid_request', 'duplicated parameter');
      const plugins = this.#parts.plugins;
      const policyCheck = evaluateClientRequest(realm, eventType, { client, form, ip: exchange.ip, plugins });
      if (policyCheck !== undefined) await policyCheck;
      const details = await run(form, client, authenticated.proofs ?? []);
      this.#parts.events.emit(exchange, { type: eventType, clientId: client.clientId, details, ...options.about });
    } catch (thrown) {
      const { error: code, eventError, details } = eventErrorOf(thrown);
      if (code !== undefined) {
        const error = eventError ?? code;
        // As in Keycloak, the event of a failed authentication names the client that the request claims to be.
        const claimedClient = client ?? (form && this.#parts.clients.claimedClient(realm, form, authorization));
        this.#parts.events.emit(exchange, { type: eventType, error, clientId: claimedClient?.clientId, details });
      }
      throw thrown;
    } finally {
      if (client !== undefined) allowOriginsOf(ctx, client);
      else allowOriginsOfRealm(ctx, realm);
    }
  }
}

/** The URL of the endpoint, as clients know it. */
function endpointUrl({ ctx, realm }: Exchange): string {
  return `${realm.issuer}${ctx.path.slice(ctx.path.lastIndexOf(PROTOCOL))}`;
}
