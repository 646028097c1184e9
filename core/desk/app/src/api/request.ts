import { HOST, nameIn } from '../address.ts';
import { wantedLanguage } from '../messages/language.tsx';
import { session } from '../session/session.ts';
import { ApiFailure, failureOf, type Roles } from './failure.ts';

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Undefined and empty members are left out; a list is sent as one parameter for each. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  /** Files and texts, in place of `body`. */
  readonly form?: FormData;
  /** A JSON document that is sent to the letter, in place of `body`: the host tells mistakes by their lines. */
  readonly document?: string | undefined;
  /** Of `realm-management`, or `HOST_ADMIN`: a refusal names them. */
  readonly roles: Roles;
  readonly signal?: AbortSignal;
  /** The tag of what the change was made to: the host refuses it when that has changed since (`ApiFailure`, `changed`). */
  readonly ifMatch?: string | undefined;
  /** The answer may set cookies of this browser: a login as somebody else. */
  readonly setsCookies?: true;
  /** Of a stream: the id of the last message, after which it is to go on. */
  readonly lastEventId?: string | undefined;
}

/** What was read, and the tag of it: undefined where the host gives none. */
export interface Tagged<T> {
  readonly body: T;
  readonly tag: string | undefined;
}

/**
 * Calls the Admin REST API. @param path below `/admin`
 * @returns the JSON of the answer, undefined without a body
 * @throws ApiFailure
 */
export async function request<T>(path: string, given: Request): Promise<T> {
  return (await requestTagged<T>(path, given)).body;
}

/** As `request`, with the tag by which a later change says what it is made to. @throws ApiFailure */
export async function requestTagged<T>(path: string, given: Request): Promise<Tagged<T>> {
  const response = await opened(path, given);
  const text = await response.text();
  const body = (text === '' ? undefined : JSON.parse(text)) as T;
  return { body, tag: response.headers.get('etag') ?? undefined };
}

/** Creates something. @returns its id, the last part of its address @throws ApiFailure */
export async function requestNew(path: string, given: Omit<Request, 'method'>): Promise<string> {
  const response = await opened(path, { ...given, method: 'POST' });
  return nameIn(response.headers.get('location')?.split('/').at(-1) ?? '');
}

/** As `request`, for an answer that is wanted to the letter. @throws ApiFailure */
export async function requestText(path: string, given: Request): Promise<string> {
  return (await opened(path, given)).text();
}

/** The answer as it comes, such as a stream. @throws ApiFailure */
export async function opened(path: string, given: Request): Promise<Response> {
  let response = await send(path, given);
  if (response.status === 401) {
    await renewed();
    response = await send(path, given);
  }
  if (!response.ok) throw await failureOf(response, given.roles);
  return response;
}

async function renewed(): Promise<void> {
  try {
    await session.refused();
  } catch {
    throw new ApiFailure(session.hasEnded ? 'ended' : 'away');
  }
}

async function send(path: string, given: Request): Promise<Response> {
  const { method = 'GET', query = {}, body, form, document, signal, ifMatch, lastEventId, setsCookies } = given;
  const sent = document ?? (body === undefined ? undefined : JSON.stringify(body));
  const url = new URL(`admin${path}`, HOST);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== '') url.searchParams.append(name, String(one));
  }
  try {
    const headers = {
      authorization: `Bearer ${await session.token()}`,
      // What providers declare comes in the language of the desk.
      'accept-language': wantedLanguage(),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    };
    return await fetch(url, {
      method,
      headers,
      credentials: setsCookies === true ? 'same-origin' : 'omit',
      cache: 'no-store',
      ...(signal === undefined ? {} : { signal }),
      ...(sent === undefined && form === undefined ? {} : { body: sent ?? form ?? null }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiFailure(session.hasEnded ? 'ended' : 'away');
  }
}
