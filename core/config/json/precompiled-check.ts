import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import { BUILT_CHECKS } from './built-checks.js';
import { cachedCheck } from './schema-cache.js';

export interface CheckOptions {
  /** The check fills defaults into the value that it checks. */
  readonly useDefaults?: boolean;
  /** Schemas that this one refers to by `$id`. */
  readonly shared?: readonly object[];
}

/** The key of a check: equal for equal schemas and options, wherever the schemas are from. */
export function checkKey(schema: object, { useDefaults = false, shared = [] }: CheckOptions): string {
  return createHash('sha256')
    .update(JSON.stringify([useDefaults, schema, shared]))
    .digest('base64url')
    .slice(0, 22);
}

/** The check of this key that the build or an earlier run compiled; undefined if neither did. */
export function precompiledCheck(key: string): ValidateFunction | undefined {
  return builtCheck(key) ?? cachedCheck(key);
}

function builtCheck(key: string): ValidateFunction | undefined {
  const [file, name] = BUILT_CHECKS[key] ?? [];
  if (file === undefined || name === undefined) return undefined;
  return (createRequire(import.meta.url)(file) as Readonly<Record<string, ValidateFunction>>)[name];
}
