import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { defined } from '../../model/defined.js';
import { didYouMean } from '../did-you-mean.js';
import { codeOfCheck, createAjv } from './create-ajv.js';
import type { JsonPath } from './json-document.js';
import { type CheckOptions, checkKey, precompiledCheck } from './precompiled-check.js';
import { isSchemaCacheEnabled, queueCheck } from './schema-cache.js';

export interface SchemaProblem {
  readonly path: JsonPath;
  readonly message: string;
  readonly suggestion?: string;
  /** The name of the required member that the object at `path` lacks. */
  readonly missing?: string;
}

/**
 * The number of schemas that one Ajv instance compiles before it is replaced. An instance never frees a compiled
 * schema, so it is replaced to release the schemas of removed plugins. An instance is expensive to create, so there are
 * at most two: one that fills in defaults and one that does not.
 */
const SCHEMAS_PER_AJV = 50;
const instances = new Map<boolean, { ajv: Ajv; remaining: number }>();
const compiled = {
  plain: new WeakMap<object, ValidateFunction>(),
  defaulting: new WeakMap<object, ValidateFunction>(),
};

/**
 * Checks by the content of their schemas, since a new version of a plugin has mostly the schemas of the previous one.
 */
const recentChecks = new Map<string, ValidateFunction>();
const MAX_RECENT_CHECKS = 200;

function currentAjv(useDefaults: boolean): Ajv {
  let current = instances.get(useDefaults);
  if (current === undefined || current.remaining === 0) {
    current = { ajv: createAjv(useDefaults, { source: isSchemaCacheEnabled() }), remaining: SCHEMAS_PER_AJV };
    instances.set(useDefaults, current);
  }
  current.remaining -= 1;
  return current.ajv;
}

/**
 * The check of a JSON Schema, compiled once for all schemas of the same content.
 * @throws Error if it is not a valid JSON Schema
 */
export function compileSchema(schema: object, options: CheckOptions = {}): ValidateFunction {
  const known = options.useDefaults === true ? compiled.defaulting : compiled.plain;
  let check = known.get(schema);
  if (check === undefined) {
    const key = checkKey(schema, options);
    check = recentChecks.get(key) ?? precompiledCheck(key) ?? compile(schema, options, key);
    cacheCheck(key, check);
    known.set(schema, check);
  }
  return check;
}

function cacheCheck(key: string, check: ValidateFunction): void {
  recentChecks.delete(key);
  recentChecks.set(key, check);
  const [oldest] = recentChecks.keys();
  if (recentChecks.size > MAX_RECENT_CHECKS && oldest !== undefined) recentChecks.delete(oldest);
}

function compile(schema: object, { useDefaults = false, shared = [] }: CheckOptions, key: string): ValidateFunction {
  const ajv = currentAjv(useDefaults);
  for (const other of shared) if (!ajv.getSchema((other as { $id: string }).$id)) ajv.addSchema(other);
  const check = ajv.compile(schema);
  // This module caches the check, and a newer version of a plugin may have another schema with the same `$id`.
  ajv.removeSchema(schema);
  if (isSchemaCacheEnabled()) queueCheck(key, () => codeOfCheck(ajv, check));
  return check;
}

/** The problems that a failed check found, in words for the author of the file. */
export function schemaProblems(check: Pick<ValidateFunction, 'errors'>): SchemaProblem[] {
  const problems = new Map<string, SchemaProblem>();
  for (const error of check.errors ?? []) {
    // The branches of anyOf and if repeat the error of their parent.
    if (['anyOf', 'oneOf', 'if'].includes(error.keyword)) continue;
    // An alternative that allows `null` does not explain the error: another error names the other types.
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

/** Describes one error of a check. */
export function schemaProblem(error: ErrorObject): SchemaProblem {
  const path = errorPath(error);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      const knownKeys = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
      const suggestion = didYouMean(name, knownKeys);
      return defined({ path: [...path, name], message: 'unknown key', suggestion });
    }
    case 'required':
      return { path, message: `"${params.missingProperty}" is missing`, missing: String(params.missingProperty) };
    case 'enum': {
      // An empty text means “not set”, and is not offered as a value.
      const allowed = (params.allowedValues as unknown[]).filter((word) => word !== '').map(String);
      const suggestion = typeof error.data === 'string' ? didYouMean(error.data, allowed, 4) : undefined;
      const message = `must be one of ${withoutCaseVariants(allowed).join(', ')}`;
      return defined({ path, message, suggestion });
    }
    case 'const':
      return { path, message: `must be ${JSON.stringify(params.allowedValue)}` };
    case 'type':
      return { path, message: mustBeOf(params.type) };
    case 'pattern':
      return { path, message: mustMatch(String(params.pattern), error.parentSchema as Partial<DescribedPattern>) };
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

/** Describes a pattern in words if its schema has some: few people read regular expressions. */
function mustMatch(
  pattern: string,
  { mustBe, patternErrorMessage, examples, description }: Partial<DescribedPattern> = {},
): string {
  if (mustBe !== undefined) return `must be ${mustBe}`;
  if (patternErrorMessage !== undefined) return patternErrorMessage;
  const forms = (examples ?? []).filter((example) => typeof example === 'string' && example !== '');
  if (forms.length > 0) return `must look like ${forms.join(' or ')}`;
  // A one-word description is a key of the plugin's messages. A description does not always state the format, so show
  // the pattern too.
  return `must match ${pattern}${description?.includes(' ') ? ` (${description.replace(/\.$/, '')})` : ''}`;
}

interface DescribedPattern {
  readonly mustBe: string;
  readonly patternErrorMessage: string;
  readonly examples: readonly unknown[];
  readonly description: string;
}

/** Removes words that differ only in letter case from an earlier one: of `none` and `NONE`, only `none` is shown. */
function withoutCaseVariants(words: readonly string[]): string[] {
  return [...new Map([...words].reverse().map((word) => [word.toLowerCase(), word])).values()].reverse();
}

/** Describes a schema's `type` in words. */
export function mustBeOf(type: string | readonly string[]): string {
  return `must be ${withArticle([type].flat().join(' or '))}`;
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** The path of the value that does not fit. */
export function errorPath({ instancePath: text }: ErrorObject): (string | number)[] {
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}
