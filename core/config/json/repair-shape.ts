import type { ErrorObject, ValidateFunction } from 'ajv';
import { collectWords } from '../realm-file/hidden-names.js';
import type { JsonPath } from './json-document.js';
import { errorPath } from './schema-check.js';

/** The maximum number of rounds. One round may not be enough, since a repaired value may have other mistakes. */
const MAX_ROUNDS = 10;
const FILLERS: Readonly<Record<string, () => unknown>> = {
  object: () => ({}),
  array: () => [],
  boolean: () => false,
  integer: () => 1,
  number: () => 1,
  null: () => null,
};

/**
 * Makes a value match its schema, so that the valid parts can be checked further. Invalid members are removed, and
 * missing members get a made-up name as their value. Invalid items of lists are replaced, which preserves the indexes
 * of the others.
 * @param words receives the texts in the invalid values
 * @returns the paths that were changed; undefined if the value cannot be made to match
 */
export function repairShape(value: unknown, check: ValidateFunction, words: Set<string>): JsonPath[] | undefined {
  const repaired: JsonPath[] = [];
  let fillCount = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (check(value)) return repaired;
    for (const error of [...(check.errors ?? [])]) {
      if (['anyOf', 'oneOf', 'if'].includes(error.keyword)) continue;
      const path = repairedPath(error);
      const holder = path.slice(0, -1).reduce<unknown>((parent, part) => memberOf(parent, part), value);
      const key = path.at(-1);
      if (key === undefined || typeof holder !== 'object' || holder === null) {
        if (error.instancePath === '') return undefined;
        continue;
      }
      repaired.push(path);
      fillCount += 1;
      const name = `keyhost-missing-${fillCount}`;
      const members = holder as Record<string | number, unknown>;
      if (error.keyword !== 'required') collectWords(members[key], words);
      // The missing name may be the value of a misspelt key.
      else if (holder !== value) for (const text of Object.values(members).filter(isText)) collectWords(text, words);
      if (error.keyword === 'required') members[key] ??= name;
      else if (Array.isArray(holder)) members[key] = filler(error, name);
      else delete members[key];
    }
  }
  return undefined;
}

function repairedPath(error: ErrorObject): JsonPath {
  const path = errorPath(error);
  if (error.keyword === 'required') return [...path, String(error.params.missingProperty)];
  return error.keyword === 'additionalProperties' ? [...path, String(error.params.additionalProperty)] : path;
}

function filler({ keyword, params }: ErrorObject, name: string): unknown {
  if (keyword === 'enum') return (params.allowedValues as unknown[])[0];
  const [type] = [keyword === 'type' ? params.type : 'string'].flat() as string[];
  return FILLERS[type ?? '']?.() ?? name;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function memberOf(holder: unknown, part: string | number): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, part)
    ? (holder as Record<string | number, unknown>)[part]
    : undefined;
}
