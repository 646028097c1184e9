import { types } from 'node:util';
import { type Answers, HostError, type JsonSchema, wrongHeaders } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { messageOf, withMember } from '../../model/thrown.js';
import { BACKGROUND, SCHEDULED } from '../loading/kinds.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { notCloneable, uncloneable } from './cloneable.js';

/** A `ScheduledOutcome`; without an answer it is done, with nothing to say. */
const OUTCOME: JsonSchema = {
  type: 'object',
  properties: { more: {}, summary: { type: 'string', maxLength: 200 } },
  additionalProperties: false,
};

/** Headers of errors that were copied and judged. */
const JUDGED = new WeakSet<object>();

/** A `BackgroundRun`; without an answer it has nothing to say. */
const RUN: JsonSchema = {
  type: 'object',
  properties: { again: { type: 'number', minimum: 0 } },
  additionalProperties: false,
};

/**
 * Judges what a plugin's provider answered before the call counts as a good one.
 * @returns a copy, and that is what was judged: of getters and proxies each reading may be another
 * @throws HostError `not_cloneable` or `provider_shape` (500), naming the plugin, the method and the member
 */
export function checkedAnswer<T>(
  { spi, id, plugin, background, schedule, declaration }: RegisteredProvider,
  method: string,
  given: T,
): T {
  const { answers } = spi;
  const isRun = background && method === BACKGROUND;
  const isScheduled = schedule !== undefined && method === SCHEDULED;
  if (answers === 'unread' && !isRun && !isScheduled) return given;
  const what = `${plugin.name}: ${spi.id}/${id} answered ${method} with`;
  const part = uncloneable(given);
  if (part !== undefined) throw notCloneable(`${what} ${part}`);
  const answer = cloned(given, what);
  const wrong =
    isRun || isScheduled
      ? misfit(answer === undefined ? undefined : isRun ? RUN : OUTCOME, answer)
      : judged(answers, method, answer, declaration);
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
 * The error that a call ends with: another one where the headers of what a plugin threw are not a plugin's to send. It has them
 * as they were judged, and the plugin cannot change them any more.
 */
export function checkThrown({ spi, id, plugin }: RegisteredProvider, method: string, thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return thrown;
  const what = `${plugin.name}: ${spi.id}/${id} threw in ${method}`;
  // Each reading of its members may be another, and fail.
  if (types.isProxy(thrown)) return new HostError('provider_shape', `${what} a Proxy`);
  if (hasJudgedHeaders(thrown)) return thrown;
  const { headers } = thrown as { readonly headers?: unknown };
  const copy = typeof headers === 'object' && headers !== null ? Object.freeze({ ...headers }) : headers;
  const wrong = wrongHeaders(copy);
  return wrong === undefined ? withHeaders(thrown, copy) : new HostError('provider_shape', `${what} with ${wrong}`);
}

/** The error of a call within another comes by twice. */
function hasJudgedHeaders(thrown: object): boolean {
  const own = Reflect.getOwnPropertyDescriptor(thrown, 'headers');
  return own !== undefined && own.configurable === false && own.writable === false && JUDGED.has(own.value);
}

function withHeaders(thrown: object, headers: unknown): object {
  if (typeof headers === 'object' && headers !== null) JUDGED.add(headers);
  const own = { value: headers, enumerable: headers !== undefined, writable: false, configurable: false };
  return Reflect.defineProperty(thrown, 'headers', own) ? thrown : withMember(thrown, 'headers', own);
}

function judged(answers: Answers, method: string, answer: unknown, declaration: unknown): string | undefined {
  if (answers === 'unread') return undefined;
  return typeof answers === 'function'
    ? answers(method, answer, declaration as Readonly<Record<string, unknown>>)
    : misfit(answers[method], answer);
}

function misfit(schema: JsonSchema | undefined, answer: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const check = compileSchema(schema);
  if (check(answer)) return undefined;
  const problems = schemaProblems(check).map(({ path, message, suggestion }) => {
    const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
    return `${formatPath(['answer', ...path])} ${message}${hint}`;
  });
  return `what its SPI does not allow: ${problems.join('; ')}`;
}
