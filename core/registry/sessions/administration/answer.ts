import { type AdminAnswer, HostError } from '@keyhost/spi';
import type { FindClient } from './administered-realm.js';

const REFUSED = 'admin_refused';

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A path below the realm: of its parts none can be taken for more than one. */
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
 * The error of an answer that is a refusal. It is the plugin's to handle: its callers may not know of it, such as whether a name
 * is taken. That a version is no longer the current one says no more than its status.
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

/** What is read, or undefined where it does not exist. @throws HostError `admin_refused` */
export async function ifThere(asked: Promise<AdminAnswer>): Promise<AdminAnswer | undefined> {
  const answer = await asked;
  return answer.status === 404 ? undefined : expectDone(Promise.resolve(answer));
}

/** The id of what is created. @throws HostError `admin_refused` */
export async function expectCreated(asked: Promise<AdminAnswer>): Promise<string> {
  return (await expectDone(asked)).created ?? '';
}

/** The internal id of a client, which the API goes by. @throws HostError `admin_refused` where there is none of that `clientId` */
export async function idOfClient(findClient: FindClient, clientId: string): Promise<string> {
  const client = await findClient(clientId);
  if (client !== undefined) return client.id;
  throw new HostError('admin_refused', `Client "${clientId}" not found`, { status: 404, expose: false });
}
