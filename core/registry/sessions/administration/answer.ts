import { type AdminAnswer, HostError } from '@keyhost/spi';
import type { FindClient } from './administered-realm.js';

const REFUSED_CODE = 'admin_refused';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a path relative to the realm. Each segment is encoded, so that it cannot add a slash. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

export function queryOf(query: Query): string {
  const definedEntries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return definedEntries.length === 0 ? '' : `?${new URLSearchParams(definedEntries)}`;
}

/**
 * Turns a response with an error status into an error. It is not exposed to the plugin's callers, because they may not
 * be allowed to see its details, such as that a name is taken. A version conflict has no details beyond its status.
 */
export function refusalError({ status, body }: AdminAnswer): HostError {
  const { error, errorMessage, error_description: description } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const reason = [errorMessage, description, error].find((text) => typeof text === 'string' && text !== '');
  if (status === 412) {
    return new HostError('version_conflict', 'Changed since you read it: read it again, then repeat your change', {
      status: 409,
    });
  }
  const message = `the Admin REST API answered ${status}: ${String(reason ?? JSON.stringify(body))}`;
  return new HostError(REFUSED_CODE, message, { status, expose: false });
}

/**
 * Awaits a response, and checks that it is no error. The other functions in this file throw the same errors.
 * @throws HostError `admin_refused`
 */
export async function expectDone(response: Promise<AdminAnswer>): Promise<AdminAnswer> {
  const answer = await response;
  if (answer.status >= 400) throw refusalError(answer);
  return answer;
}

/**
 * Awaits a response, and returns its body.
 * @throws HostError `admin_refused`
 */
export async function expectJson<T>(response: Promise<AdminAnswer>): Promise<T> {
  return (await expectDone(response)).body as T;
}

/**
 * Awaits a response; returns undefined if the resource does not exist.
 * @throws HostError `admin_refused`
 */
export async function expectOptional(response: Promise<AdminAnswer>): Promise<AdminAnswer | undefined> {
  const answer = await response;
  return answer.status === 404 ? undefined : expectDone(Promise.resolve(answer));
}

/**
 * Awaits the response to a creation, and returns the ID of the new resource.
 * @throws HostError `admin_refused`
 */
export async function expectCreated(response: Promise<AdminAnswer>): Promise<string> {
  return (await expectDone(response)).created ?? '';
}

/**
 * Returns the internal ID of a client, which the API requires.
 * @throws HostError `admin_refused` if the client does not exist
 */
export async function idOfClient(findClient: FindClient, clientId: string): Promise<string> {
  const client = await findClient(clientId);
  if (client !== undefined) return client.id;
  throw new HostError('admin_refused', `Client "${clientId}" not found`, { status: 404, expose: false });
}
