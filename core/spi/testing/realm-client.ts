import type { JsonObject } from '../json-schema.js';
import type { IssuedActionToken } from '../session.js';
import type { AdminEvent, Event } from '../views.js';
import { ACTION_TOKEN_PATH, TEST_CLIENT, type TestServices, TOKEN_GRANT } from './test-services.js';

/** An HTTP response. */
export interface Answer {
  /** The URL of the request. */
  readonly url: string;
  readonly status: number;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Set-Cookie` headers, one entry for each. */
  readonly setCookie: readonly string[];
  readonly text: string;
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown;
}

/** Fields of a form by name: a list is sent as several fields of the name. */
export type FormValues = Readonly<Record<string, string | readonly string[]>>;

/** The options of a request. */
export interface RequestOptions {
  /** Default: GET, or POST with a body. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A bearer access token. */
  readonly token?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: FormValues;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array;
}

/** An HTTP client of one realm of a test host. It does not follow redirects or store cookies. */
export class RealmClient {
  readonly name: string;
  /** `{base}/realms/{realm}` */
  readonly url: string;
  readonly #services: TestServices;
  readonly #settle: () => Promise<void>;
  readonly #secrets: ReadonlyMap<string, string>;

  /** @param realm the realm file, which contains the secrets of its clients */
  constructor(realm: JsonObject, base: string, services: TestServices, settle: () => Promise<void>) {
    this.name = String(realm.realm);
    this.url = `${base}/realms/${encodeURIComponent(this.name)}`;
    this.#services = services;
    this.#settle = settle;
    const clients = (realm.clients ?? []) as readonly { clientId: string; secret?: string }[];
    this.#secrets = new Map(
      clients.flatMap(({ clientId, secret }) => (secret === undefined ? [] : [[clientId, secret]])),
    );
  }

  /** @param path a path below the realm's URL, such as `/hello`, or a whole URL */
  async fetch(path: string, options: RequestOptions = {}): Promise<Answer> {
    const { json, form, token } = options;
    const body = json !== undefined ? JSON.stringify(json) : form !== undefined ? encoded(form) : options.body;
    const url = path.startsWith('/') ? `${this.url}${path}` : path;
    const response = await fetch(url, {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...options.headers,
      },
      body: body as string | undefined,
    });
    const text = await response.text();
    return {
      url,
      status: response.status,
      headers: Object.fromEntries(response.headers),
      setCookie: response.headers.getSetCookie(),
      text,
      json: parseJson(text),
    };
  }

  /** Posts a form to the token endpoint. */
  tokenRequest(form: FormValues): Promise<Answer> {
    return this.fetch('/protocol/openid-connect/token', { form });
  }

  /**
   * Returns an access token of any user, without a password.
   * @param options.scope scopes in addition to the default ones, separated by spaces
   * @param options.clientId the client of the token; default: one of the kit's own
   * @throws Error if the token endpoint refuses
   */
  async token(username: string, options: { scope?: string; clientId?: string } = {}): Promise<string> {
    const { scope, clientId = TEST_CLIENT } = options;
    const secret = this.#secrets.get(clientId);
    const answer = await this.tokenRequest({
      grant_type: TOKEN_GRANT,
      username,
      client_id: clientId,
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...(scope === undefined ? {} : { scope }),
    });
    if (answer.status !== 200) throw new Error(`no token for ${username}: ${answer.status} ${answer.text}`);
    return (answer.json as { access_token: string }).access_token;
  }

  /**
   * Issues an action token, as `session.actionTokens.issue` does in a plugin. Open its link with `fetch(link)`.
   * @throws Error if it cannot be issued: no handler of the type, claims that its schema rejects, an unknown user
   */
  async actionToken(
    type: string,
    username: string,
    options: { claims?: JsonObject; clientId?: string; expiresIn?: number } = {},
  ): Promise<IssuedActionToken> {
    const answer = await this.fetch(ACTION_TOKEN_PATH, { json: { type, username, ...options } });
    if (answer.status !== 200) throw new Error(`no ${type} token for ${username}: ${answer.status} ${answer.text}`);
    return answer.json as IssuedActionToken;
  }

  /** The realm's events up to now, in order, after all listeners have received them. */
  async events(): Promise<readonly Event[]> {
    await this.#settle();
    return this.#services.events(this.name);
  }

  /** The events of the Admin REST API up to now. */
  async adminEvents(): Promise<readonly AdminEvent[]> {
    await this.#settle();
    return this.#services.adminEvents(this.name);
  }
}

/** Returns the fields of a form in the encoding of an HTTP request. */
export function encoded(form: FormValues): URLSearchParams {
  return new URLSearchParams(
    Object.entries(form).flatMap(([name, value]) => [value].flat().map((item): [string, string] => [name, item])),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
