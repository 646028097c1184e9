import { decodeSegment, HOST_URL } from '../address.ts';
import { wantedLanguage } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { ApiFailure, failureOf, type Roles } from './failure.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Undefined and empty members are left out; a list is sent as repeated parameters. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Files and texts, in place of `body`. */
  readonly form?: FormData;
  /** A JSON document that is sent unchanged, in place of `body`: the host reports mistakes by line. */
  readonly document?: string | undefined;
  /** Roles of `realm-management`, or `HOST_ADMIN`, which are named if the request is forbidden. */
  readonly roles: Roles;
  readonly signal?: AbortSignal;
  /**
   * The ETag of the version that was edited. If the object has changed since, the request fails (`ApiFailure`,
   * `changed`).
   */
  readonly ifMatch?: string | undefined;
  /** Lets the browser store the answer's cookies, which impersonation needs. */
  readonly setsCookies?: true;
  /** For a stream: the ID of the last message, after which it continues. */
  readonly lastEventId?: string | undefined;
}

/** An answer with its ETag; undefined if the host sends none. */
export interface Tagged<T> {
  readonly body: T;
  readonly tag: string | undefined;
}

/**
 * Calls the Admin REST API.
 * @param path below `/admin`
 * @returns the JSON of the answer, undefined if it has no body
 * @throws ApiFailure
 */
export async function request<T>(path: string, options: ApiRequest): Promise<T> {
  return (await requestTagged<T>(path, options)).body;
}

/** Like `request`, with the ETag for the `ifMatch` of a later change. @throws ApiFailure */
export async function requestTagged<T>(path: string, options: ApiRequest): Promise<Tagged<T>> {
  const response = await fetchResponse(path, options);
  const text = await response.text();
  const body = (text === '' ? undefined : JSON.parse(text)) as T;
  return { body, tag: response.headers.get('etag') ?? undefined };
}

/** Creates an object. @returns its ID, the last part of its address @throws ApiFailure */
export async function requestNew(path: string, options: Omit<ApiRequest, 'method'>): Promise<string> {
  const response = await fetchResponse(path, { ...options, method: 'POST' });
  return decodeSegment(response.headers.get('location')?.split('/').at(-1) ?? '');
}

/** Like `request`, for the unchanged text of an answer. @throws ApiFailure */
export async function requestText(path: string, options: ApiRequest): Promise<string> {
  return (await fetchResponse(path, options)).text();
}

/** The raw answer, for instance of a stream. @throws ApiFailure */
export async function fetchResponse(path: string, options: ApiRequest): Promise<Response> {
  let response = await send(path, options);
  if (response.status === 401) {
    await renewTokens();
    response = await send(path, options);
  }
  if (!response.ok) throw await failureOf(response, options.roles);
  return response;
}

async function renewTokens(): Promise<void> {
  try {
    await session.renewAfterRefusal();
  } catch {
    throw new ApiFailure(session.hasEnded ? 'ended' : 'away');
  }
}

async function send(path: string, options: ApiRequest): Promise<Response> {
  const { method = 'GET', query = {}, body, form, document, signal, ifMatch, lastEventId, setsCookies } = options;
  const content = document ?? (body === undefined ? undefined : JSON.stringify(body));
  const url = new URL(`admin${path}`, HOST_URL);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') url.searchParams.append(name, String(one));
  }
  try {
    const headers = {
      authorization: `Bearer ${await session.token()}`,
      // The host returns the texts of providers in the admin console's language.
      'accept-language': wantedLanguage(),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    return await fetch(url, {
      method,
      headers,
      credentials: setsCookies === true ? 'same-origin' : 'omit',
      cache: 'no-store',
      ...(signal === undefined ? {} : { signal }),
      ...(content === undefined && form === undefined ? {} : { body: content ?? form ?? null }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiFailure(session.hasEnded ? 'ended' : 'away');
  }
}
