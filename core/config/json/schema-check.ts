import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { defined } from '../../model/defined.js';
import { didYouMean } from '../did-you-mean.js';
import type { JsonPath } from './json-document.js';
import { areChecksKept, keepCheck } from './kept-checks.js';
import { codeOfCheck, newAjv } from './new-ajv.js';
import { type CheckOptions, checkKey, readyCheck } from './ready-check.js';

export interface SchemaProblem {
  readonly path: JsonPath;
  readonly message: string;
  readonly suggestion?: string;
  /** The member of the object at `path` that is not there. */
  readonly missing?: string;
}

/**
 * An Ajv is dear to make, and keeps what it has compiled for as long as it lives: there are two at a time, made when they
 * are needed, and others take over after so many schemas, so that those of plugins that are gone can go.
 */
const SCHEMAS_OF_ONE = 50;
const instances = new Map<boolean, { ajv: Ajv; left: number }>();
const compiled = {
  plain: new WeakMap<object, ValidateFunction>(),
  defaulting: new WeakMap<object, ValidateFunction>(),
};

/** Checks by what their schemas say: the next version of a plugin brings most of those along that the one before had. */
const latest = new Map<string, ValidateFunction>();
const MOST_LATEST = 200;

function instance(useDefaults: boolean): Ajv {
  let current = instances.get(useDefaults);
  if (current === undefined || current.left === 0) {
    current = { ajv: newAjv(useDefaults, { source: areChecksKept() }), left: SCHEMAS_OF_ONE };
    instances.set(useDefaults, current);
  }
  current.left -= 1;
  return current.ajv;
}

/**
 * The check of a JSON Schema, compiled once for all schemas that say the same.
 * @throws Error when it is not a valid JSON Schema
 */
export function compileSchema(schema: object, options: CheckOptions = {}): ValidateFunction {
  const known = options.useDefaults === true ? compiled.defaulting : compiled.plain;
  let check = known.get(schema);
  if (check === undefined) {
    const key = checkKey(schema, options);
    check = latest.get(key) ?? readyCheck(key) ?? compile(schema, options, key);
    remember(key, check);
    known.set(schema, check);
  }
  return check;
}

function remember(key: string, check: ValidateFunction): void {
  latest.delete(key);
  latest.set(key, check);
  const [oldest] = latest.keys();
  if (latest.size > MOST_LATEST && oldest !== undefined) latest.delete(oldest);
}

function compile(schema: object, { useDefaults = false, shared = [] }: CheckOptions, key: string): ValidateFunction {
  const ajv = instance(useDefaults);
  for (const other of shared) if (!ajv.getSchema((other as { $id: string }).$id)) ajv.addSchema(other);
  const check = ajv.compile(schema);
  // Remembered here; a newer version of a plugin may come with a schema of the same `$id`.
  ajv.removeSchema(schema);
  if (areChecksKept()) keepCheck(key, () => codeOfCheck(ajv, check));
  return check;
}

/** What a failed check has to say, in words for the person who wrote the file. */
export function schemaProblems(check: Pick<ValidateFunction, 'errors'>): SchemaProblem[] {
  const problems = new Map<string, SchemaProblem>();
  for (const error of check.errors ?? []) {
    // The branches of anyOf and if repeat what their parent says.
    if (['anyOf', 'oneOf', 'if'].includes(error.keyword)) continue;
    // That null would do too, where a member may be taken back, says nothing of what is wrong.
    if (error.keyword === 'type' && error.params.type === 'null') continue;
    const problem = schemaProblem(error);
    problems.set(`${JSON.stringify(problem.path)} ${problem.message}`, problem);
  }
  return [...problems.values()];
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date, such as 2026-01-31',
  'date-time': 'a date and time, such as 2026-01-31T12:00:00Z',
  email: 'an email address',
  hostname: 'a host name',
  uri: 'an absolute URI',
  uuid: 'a UUID',
};

/** One thing that a check has to say. */
export function schemaProblem(error: ErrorObject): SchemaProblem {
  const path = errorPath(error);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const known = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      const suggestion = didYouMean(name, known);
      return defined({ path: [...path, name], message: 'unknown key', suggestion });
    }
    case 'required':
      return { path, message: `"${params.missingProperty}" is missing`, missing: String(params.missingProperty) };
    case 'enum': {
      // An empty text is taken as "not said"; nobody is told to write it.
      const allowed = (params.allowedValues as unknown[]).filter((word) => word !== '').map(String);
      const suggestion = typeof error.data === 'string' ? didYouMean(error.data, allowed, 4) : undefined;
      const message = `must be one of ${withoutOtherCase(allowed).join(', ')}`;
      return defined({ path, message, suggestion });
    }
    case 'const':
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` };
    case 'type':
      return { path, message: mustBeOf(params.type) };
    case 'pattern':
      return { path, message: mustMatch(String(params.pattern), error.parentSchema as Partial<Worded>) };
    case 'format':
      return { path, message: `must be ${FORMATS[String(params.format)] ?? `of the format ${params.format}`}` };
    case 'minimum':
      return { path, message: `must be at least ${params.limit}` };
    case 'maximum':
      return { path, message: `must be at most ${params.limit}` };
    case 'minLength':
      return {
        path,
        message: params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`,
      };
    case 'maxLength':
      return { path, message: `must have at most ${params.limit} characters` };
    default:
      return { path, message: error.message ?? 'is not valid' };
  }
}

/** What a pattern asks for, in words where its schema has some: few people read regular expressions. */
function mustMatch(
  pattern: string,
  { mustBe, patternErrorMessage, examples, description }: Partial<Worded> = {},
): string {
  if (mustBe !== undefined) return `must be ${mustBe}`;
  if (patternErrorMessage !== undefined) return patternErrorMessage;
  const forms = (examples ?? []).filter((one) => typeof one === 'string' && one !== '');
  if (forms.length > 0) return `must look like ${forms.join(' or ')}`;
  // A description of one word is a key of the plugin's messages, and not every description says what fits.
  return `must match ${pattern}${description?.includes(' ') ? ` (${description.replace(/\.$/, '')})` : ''}`;
}

interface Worded {
  readonly mustBe: string;
  readonly patternErrorMessage: string;
  readonly examples: readonly unknown[];
  readonly description: string;
}

/** The words without those that stand before them in other letters: `none` stays, `NONE` goes. */
function withoutOtherCase(words: readonly string[]): string[] {
  return [...new Map([...words].reverse().map((word) => [word.toLowerCase(), word])).values()].reverse();
}

/** What a schema's `type` asks for, in words. */
export function mustBeOf(type: string | readonly string[]): string {
  return `must be ${withArticle([type].flat().join(' or '))}`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Where a value stands that does not fit. */
export function errorPath({ instancePath: text }: ErrorObject): (string | number)[] {
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
