import { types } from 'node:util';
import { type Answers, HostError, type JsonSchema, wrongHeaders } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { messageOf, withMember } from '../../model/thrown.js';
import { BACKGROUND_METHOD, SCHEDULED_METHOD } from '../loading/host-spis.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { notCloneable, uncloneable } from './cloneable.js';

/** The schema of a `ScheduledOutcome`. Without an answer, the run is done. */
const OUTCOME: JsonSchema = {
  type: 'object',
  properties: { more: {}, summary: { type: 'string', maxLength: 200 } },
  additionalProperties: false,
};

/** Headers of errors that were copied and checked. */
const CHECKED_HEADERS = new WeakSet<object>();

/** The schema of a `BackgroundRun`. Without an answer, the provider only runs when woken. */
const RUN: JsonSchema = {
  type: 'object',
  properties: { again: { type: 'number', minimum: 0 } },
  additionalProperties: false,
};

/**
 * Checks the result of a plugin's provider before the call counts as successful.
 * @returns a copy, which is what was checked, because getters and proxies may return a different value on each read
 * @throws HostError `not_cloneable` or `provider_shape` (500), with the plugin, the method and the member
 */
export function checkedResult<T>(
  { spi, id, plugin, background, schedule, declaration }: RegisteredProvider,
  method: string,
  given: T,
): T {
  const { answers } = spi;
  const isRun = background && method === BACKGROUND_METHOD;
  const isScheduled = schedule !== undefined && method === SCHEDULED_METHOD;
  if (answers === 'unread' && !isRun && !isScheduled) return given;
  const what = `${plugin.name}: ${spi.id}/${id} answered ${method} with`;
  const part = uncloneable(given);
  if (part !== undefined) throw notCloneable(`${what} ${part}`);
  const answer = cloned(given, what);
  const wrong =
    isRun || isScheduled
      ? shapeError(answer === undefined ? undefined : isRun ? RUN : OUTCOME, answer)
      : validated(answers, method, answer, declaration);
  if (wrong !== undefined) throw new HostError('provider_shape', `${what} ${wrong}`);
  return answer;
}

function cloned<T>(given: T, what: string): T {
  try {
    return structuredClone(given);
  } catch (cause) {
    throw notCloneable(`${what} something that is not plain data (${messageOf(cause)})`);
  }
}

/**
 * Returns the error with which a call ends. If a plugin's error has headers that plugins may not send, it is replaced.
 * Otherwise its headers are frozen, so that the plugin cannot change them after the check.
 */
export function checkedError({ spi, id, plugin }: RegisteredProvider, method: string, thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return thrown;
  const what = `${plugin.name}: ${spi.id}/${id} threw in ${method}`;
  // Each read of its members may return a different value, or throw.
  if (types.isProxy(thrown)) return new HostError('provider_shape', `${what} a Proxy`);
  if (hasCheckedHeaders(thrown)) return thrown;
  const { headers } = thrown as { readonly headers?: unknown };
  const copy = typeof headers === 'object' && headers !== null ? Object.freeze({ ...headers }) : headers;
  const wrong = wrongHeaders(copy);
  return wrong === undefined ? withHeaders(thrown, copy) : new HostError('provider_shape', `${what} with ${wrong}`);
}

/** True if the headers were checked before: the error of a nested call is checked twice. */
function hasCheckedHeaders(thrown: object): boolean {
  const own = Reflect.getOwnPropertyDescriptor(thrown, 'headers');
  return own !== undefined && own.configurable === false && own.writable === false && CHECKED_HEADERS.has(own.value);
}

function withHeaders(thrown: object, headers: unknown): object {
  if (typeof headers === 'object' && headers !== null) CHECKED_HEADERS.add(headers);
  const own = { value: headers, enumerable: headers !== undefined, writable: false, configurable: false };
  return Reflect.defineProperty(thrown, 'headers', own) ? thrown : withMember(thrown, 'headers', own);
}

function validated(answers: Answers, method: string, answer: unknown, declaration: unknown): string | undefined {
  if (answers === 'unread') return undefined;
  return typeof answers === 'function'
    ? answers(method, answer, declaration as Readonly<Record<string, unknown>>)
    : shapeError(answers[method], answer);
}

function shapeError(schema: JsonSchema | undefined, answer: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const check = compileSchema(schema);
  if (check(answer)) return undefined;
  const problems = schemaProblems(check).map(({ path, message, suggestion }) => {
    const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
    return `${formatPath(['answer', ...path])} ${message}${hint}`;
  });
  return `what its SPI does not allow: ${problems.join('; ')}`;
}
