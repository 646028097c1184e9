import type { JsonSchema } from '@keyhost/spi';
import { formatPath, formatPointer } from '../../config/json/json-document.js';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import { isSecretName } from '../../model/secret-names.js';
import { AdminError } from '../admin.js';
import { requireSecretsForNewAddress } from '../secrets-for-new-address.js';
import { storedPath } from './stored-path.js';

/** Maximum depth to which references between schemas are followed. */
const REFERENCE_LIMIT = 20;

/**
 * A copy of a provider's configuration with masked secrets. These are members with `writeOnly: true` or `format:
 * "password"` in their schema, and texts whose name ends in a word such as secret or password.
 */
export function maskConfig(config: unknown, schema: JsonSchema | undefined): unknown {
  return replaceSecrets(config, schema, (value) => (isEmpty(value) ? value : MASK));
}

/**
 * A copy of a sent configuration in which masked secrets are replaced by the stored ones.
 * @param sent the part that this request contains
 * @throws AdminError 400 if a stored secret would be sent to a changed address, or a masked secret cannot be matched
 * with a stored list item
 */
export function restoreSecrets(
  config: unknown,
  stored: unknown,
  { sent, schema }: { sent: unknown; schema: JsonSchema | undefined },
): unknown {
  const kept: string[] = [];
  const shown = maskConfig(config, schema);
  const wasShown = maskConfig(stored, schema);
  const after = replaceSecrets(config, schema, (value, path) => {
    const isSent = !isEmpty(at(sent, path)) && at(sent, path) !== MASK;
    const place = storedPath(path, shown, wasShown);
    if (place === undefined && value === MASK) throw unknownSecret(path);
    const before = place && at(stored, place);
    if (!isSent && !isEmpty(before)) kept.push(path.join('.'));
    return value === MASK ? before : value;
  });
  requireSecretsForNewAddress(stored, after, kept);
  return after;
}

function unknownSecret(path: Path): AdminError {
  const message = 'must be sent again: its list has changed, so the stored secret cannot be matched';
  return new AdminError(400, {
    errorMessage: `config.${formatPath(path)}: ${message}`,
    errors: [{ pointer: formatPointer(path), message }],
  });
}

type Path = readonly (string | number)[];

/** @param replace receives each secret with its path; a member whose secret becomes undefined is left out */
function replaceSecrets(
  config: unknown,
  schema: JsonSchema | undefined,
  replace: (secret: unknown, path: Path) => unknown,
): unknown {
  const root = schema ?? {};
  return walk(config, alternatives(root, root), [], false);

  function walk(value: unknown, schemas: readonly JsonSchema[], path: Path, isNamed: boolean): unknown {
    if (schemas.some(isMarked) || (isNamed && !isPlain(value))) return replace(value, path);
    if (Array.isArray(value)) {
      const ofItems = inner(schemas, ({ items }) => [items]);
      return value.map((item, index) => walk(item, ofItems, [...path, index], isNamed)).filter(isThere);
    }
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]) => {
      const ofMember = inner(schemas, (outer) => memberSchemas(outer, name));
      return [name, walk(member, ofMember, [...path, name], isSecretName(name))] as const;
    });
    return Object.fromEntries(members.filter(([, member]) => isThere(member)));
  }

  function inner(schemas: readonly JsonSchema[], pick: (schema: JsonSchema) => readonly unknown[]): JsonSchema[] {
    return schemas.flatMap(pick).flatMap((candidate) => alternatives(candidate, root));
  }
}

/** The schema and all schemas that it refers to or is composed of. Any of them may mark a secret. */
function alternatives(schema: unknown, root: JsonSchema, depth = 0): JsonSchema[] {
  if (!isObject(schema) || depth > REFERENCE_LIMIT) return [];
  const { $ref, allOf, anyOf, oneOf, if: condition, then: met, else: unmet } = schema as JsonSchema;
  const composed = [allOf, anyOf, oneOf, condition, met, unmet].flat().filter(isThere);
  const referred = typeof $ref === 'string' && $ref.startsWith('#/') ? at(root, pointer($ref)) : undefined;
  return [schema, ...[...composed, referred].flatMap((one) => alternatives(one, root, depth + 1))];
}

function memberSchemas({ properties, patternProperties, additionalProperties }: JsonSchema, name: string): unknown[] {
  const byPattern = Object.entries((patternProperties ?? {}) as object).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  );
  return [at(properties, [name]), ...byPattern.map(([, schema]) => schema), additionalProperties];
}

function isMarked({ writeOnly, format }: JsonSchema): boolean {
  return writeOnly === true || format === 'password';
}

/** Values that are not secrets by their name alone: booleans, numbers, and objects, whose members are checked. */
function isPlain(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'object';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isThere(value: unknown): boolean {
  return value !== undefined;
}

function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Record<string | number, unknown>)[part];
  }
  return found;
}

function pointer(reference: string): string[] {
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}
