import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import { BUILT_CHECKS } from './built-checks.js';
import { cachedCheck } from './schema-cache.js';

export interface CheckOptions {
  /** True if the check fills defaults into the value. */
  readonly useDefaults?: boolean;
  /** The schemas that the schema refers to by `$id`. */
  readonly shared?: readonly object[];
}

/** The key of a check, which is equal for equal schemas and options. */
export function checkKey(schema: object, { useDefaults = false, shared = [] }: CheckOptions): string {
  return createHash('sha256')
    .update(JSON.stringify([useDefaults, schema, shared]))
    .digest('base64url')
    .slice(0, 22);
}

/** The check with this key that the build or an earlier run compiled; undefined if there is none. */
export function precompiledCheck(key: string): ValidateFunction | undefined {
  return builtCheck(key) ?? cachedCheck(key);
}

function builtCheck(key: string): ValidateFunction | undefined {
  const [file, name] = BUILT_CHECKS[key] ?? [];
  if (file === undefined || name === undefined) return undefined;
  return (createRequire(import.meta.url)(file) as Readonly<Record<string, ValidateFunction>>)[name];
}
