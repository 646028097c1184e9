import { types } from 'node:util';
import { type Answers, HostError, type JsonSchema, wrongHeaders } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { messageOf, withMember } from '../../model/thrown.js';
import { BACKGROUND_METHOD, SCHEDULED_METHOD } from '../loading/host-spis.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { findUncloneable, notCloneableError } from './cloneable.js';

/** The schema of a `ScheduledOutcome`. A run that returns nothing is done. */
const OUTCOME_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { more: {}, summary: { type: 'string', maxLength: 200 } },
  additionalProperties: false,
};

/** The `headers` objects of errors that were copied and validated. */
const CHECKED_HEADERS = new WeakSet<object>();

/** The schema of a `BackgroundRun`. If the provider returns nothing, it only runs again when woken. */
const RUN_SCHEMA: JsonSchema = {
  type: 'object',
  properties: { again: { type: 'number', minimum: 0 } },
  additionalProperties: false,
};

/**
 * Validates the result of a plugin's provider before the call counts as successful.
 * @returns a validated copy, because getters and proxies may return a different value on each read. If the SPI does not
 * validate answers, it is the result itself
 * @throws HostError `not_cloneable` or `provider_shape` (500), with the plugin, the method and the member
 */
export function checkedResult<T>(
  { spi, id, plugin, background, schedule, declaration }: RegisteredProvider,
  method: string,
  result: T,
): T {
  const { answers } = spi;
  const isRun = background && method === BACKGROUND_METHOD;
  const isScheduled = schedule !== undefined && method === SCHEDULED_METHOD;
  if (answers === 'unread' && !isRun && !isScheduled) return result;
  const prefix = `${plugin.name}: ${spi.id}/${id} answered ${method} with`;
  const uncloneablePart = findUncloneable(result);
  if (uncloneablePart !== undefined) throw notCloneableError(`${prefix} ${uncloneablePart}`);
  const copy = cloneResult(result, prefix);
  const problem =
    isRun || isScheduled
      ? shapeProblem(copy === undefined ? undefined : isRun ? RUN_SCHEMA : OUTCOME_SCHEMA, copy)
      : answerProblem(answers, method, copy, declaration);
  if (problem !== undefined) throw new HostError('provider_shape', `${prefix} ${problem}`);
  return copy;
}

function cloneResult<T>(value: T, prefix: string): T {
  try {
    return structuredClone(value);
  } catch (cause) {
    throw notCloneableError(`${prefix} something that is not plain data (${messageOf(cause)})`);
  }
}

/**
 * Returns the error with which a call ends. If a plugin's error has headers that plugins may not set, another error
 * replaces it. Otherwise its headers are frozen, so that the plugin cannot change them afterwards.
 */
export function checkedError({ spi, id, plugin }: RegisteredProvider, method: string, thrown: unknown): unknown {
  if (typeof thrown !== 'object' || thrown === null) return thrown;
  const prefix = `${plugin.name}: ${spi.id}/${id} threw in ${method}`;
  // Each read of a Proxy's members may return a different value, or throw.
  if (types.isProxy(thrown)) return new HostError('provider_shape', `${prefix} a Proxy`);
  if (hasCheckedHeaders(thrown)) return thrown;
  const { headers } = thrown as { readonly headers?: unknown };
  const copy = typeof headers === 'object' && headers !== null ? Object.freeze({ ...headers }) : headers;
  const problem = wrongHeaders(copy);
  return problem === undefined
    ? withHeaders(thrown, copy)
    : new HostError('provider_shape', `${prefix} with ${problem}`);
}

/** True if the headers were already validated. The error of a nested call passes here twice. */
function hasCheckedHeaders(thrown: object): boolean {
  const descriptor = Reflect.getOwnPropertyDescriptor(thrown, 'headers');
  return (
    descriptor !== undefined &&
    descriptor.configurable === false &&
    descriptor.writable === false &&
    CHECKED_HEADERS.has(descriptor.value)
  );
}

function withHeaders(thrown: object, headers: unknown): object {
  if (typeof headers === 'object' && headers !== null) CHECKED_HEADERS.add(headers);
  const descriptor = { value: headers, enumerable: headers !== undefined, writable: false, configurable: false };
  return Reflect.defineProperty(thrown, 'headers', descriptor) ? thrown : withMember(thrown, 'headers', descriptor);
}

function answerProblem(answers: Answers, method: string, answer: unknown, declaration: unknown): string | undefined {
  if (answers === 'unread') return undefined;
  return typeof answers === 'function'
    ? answers(method, answer, declaration as Readonly<Record<string, unknown>>)
    : shapeProblem(answers[method], answer);
}

function shapeProblem(schema: JsonSchema | undefined, answer: unknown): string | undefined {
  if (schema === undefined) return undefined;
  const check = compileSchema(schema);
  if (check(answer)) return undefined;
  const problems = schemaProblems(check).map(({ path, message, suggestion }) => {
    const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
    return `${formatPath(['answer', ...path])} ${message}${hint}`;
  });
  return `what its SPI does not allow: ${problems.join('; ')}`;
}
