import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { ValidateFunction } from 'ajv';
import { BUILT_CHECKS } from './built-checks.js';
import { keptCheck } from './kept-checks.js';

export interface CheckOptions {
  /** The check fills defaults into what it is given. */
  readonly useDefaults?: boolean;
  /** Schemas that this one refers to by `$id`. */
  readonly shared?: readonly object[];
}

/** What a check is made of: schemas that say the same have the same one, wherever they come from. */
export function checkKey(schema: object, { useDefaults = false, shared = [] }: CheckOptions): string {
  return createHash('sha256')
    .update(JSON.stringify([useDefaults, schema, shared]))
    .digest('base64url')
    .slice(0, 22);
}

/** The check of that key as the build compiled it, or a run before; undefined where neither did. */
export function readyCheck(key: string): ValidateFunction | undefined {
  return builtCheck(key) ?? keptCheck(key);
}

function builtCheck(key: string): ValidateFunction | undefined {
  const [file, name] = BUILT_CHECKS[key] ?? [];
  if (file === undefined || name === undefined) return undefined;
  return (createRequire(import.meta.url)(file) as Readonly<Record<string, ValidateFunction>>)[name];
}
