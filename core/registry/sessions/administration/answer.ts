import { type AdminAnswer, HostError } from '@keyhost/spi';
import type { FindClient } from './administered-realm.js';

const REFUSED = 'admin_refused';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path below the realm. Its segments are encoded, so that a segment cannot contain a slash. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}

export function queryOf(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/**
 * Turns a response with an error status into an error. It is not exposed to the plugin's callers, who may not be
 * allowed to know it, for example that a name is taken. A version conflict has no details beyond its status.
 */
export function refusal({ status, body }: AdminAnswer): HostError {
  const { error, errorMessage, error_description: description } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const what = [errorMessage, description, error].find((one) => typeof one === 'string' && one !== '');
  if (status === 412) {
    return new HostError('version_conflict', 'Changed since you read it: read it again, then repeat your change', {
      status: 409,
    });
  }
  const message = `the Admin REST API answered ${status}: ${String(what ?? JSON.stringify(body))}`;
  return new HostError(REFUSED, message, { status, expose: false });
}

/** @throws HostError `admin_refused` */
export async function expectDone(asked: Promise<AdminAnswer>): Promise<AdminAnswer> {
  const answer = await asked;
  if (answer.status >= 400) throw refusal(answer);
  return answer;
}

/** @throws HostError `admin_refused` */
export async function expectJson<T>(asked: Promise<AdminAnswer>): Promise<T> {
  return (await expectDone(asked)).body as T;
}

/** Returns the response, or undefined if the resource does not exist. @throws HostError `admin_refused` */
export async function expectOptional(asked: Promise<AdminAnswer>): Promise<AdminAnswer | undefined> {
  const answer = await asked;
  return answer.status === 404 ? undefined : expectDone(Promise.resolve(answer));
}

/** Returns the ID of the created resource. @throws HostError `admin_refused` */
export async function expectCreated(asked: Promise<AdminAnswer>): Promise<string> {
  return (await expectDone(asked)).created ?? '';
}

/**
 * Returns the internal ID of a client, as the API requires. @throws HostError `admin_refused` if the client does not
 * exist
 */
export async function idOfClient(findClient: FindClient, clientId: string): Promise<string> {
  const client = await findClient(clientId);
  if (client !== undefined) return client.id;
  throw new HostError('admin_refused', `Client "${clientId}" not found`, { status: 404, expose: false });
}
