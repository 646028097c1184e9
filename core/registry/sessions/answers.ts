import { type Answers, HostError, type JsonSchema, wrongHeaders } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { BACKGROUND } from '../loading/kinds.js';
import type { RegisteredProvider } from '../loading/registered-provider.js';
import { notCloneable, uncloneable } from './cloneable.js';

/** A `BackgroundRun`; without an answer it has nothing to say. */
const RUN: JsonSchema = {
  type: 'object',
  properties: { again: { type: 'number', minimum: 0 } },
  additionalProperties: false,
};

/**
 * Judges what a plugin's provider answered before the call counts as a good one.
 * @throws HostError `not_cloneable` or `provider_shape` (500), naming the plugin, the method and the member
 */
export function checkAnswer(
  { spi, id, plugin, background, declaration }: RegisteredProvider,
  method: string,
  answer: unknown,
): void {
  const { answers } = spi;
  const isRun = background && method === BACKGROUND;
  if (answers === 'unread' && !isRun) return;
  const what = `${plugin.name}: ${spi.id}/${id} answered ${method} with`;
  const part = uncloneable(answer);
  if (part !== undefined) throw notCloneable(`${what} ${part}`);
  const wrong = isRun
    ? misfit(answer === undefined ? undefined : RUN, answer)
    : judged(answers, method, answer, declaration);
  if (wrong !== undefined) throw new HostError('provider_shape', `${what} ${wrong}`);
}

/** The error that a call ends with: another one where the headers of what a plugin threw are not a plugin's to send. */
export function checkThrown({ spi, id, plugin }: RegisteredProvider, method: string, thrown: unknown): unknown {
  const wrong = wrongHeaders((thrown as { readonly headers?: unknown } | null | undefined)?.headers);
  if (wrong === undefined) return thrown;
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} threw in ${method} with ${wrong}`);
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
  const problems = schemaProblems(check).map(({ path, message }) => `${formatPath(['answer', ...path])} ${message}`);
  return `what its SPI does not allow: ${problems.join('; ')}`;
}
