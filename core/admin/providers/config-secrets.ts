import type { JsonSchema } from '@keyhost/spi';
import { formatPath, formatPointer } from '../../config/json/json-document.js';
import { isObject } from '../../model/is-object.js';
import { MASK } from '../../model/mask.js';
import { isSecretName } from '../../model/secret-names.js';
import { AdminError } from '../admin.js';
import { requireSecretsForNewAddress } from '../secrets-for-new-address.js';
import { findStoredPath } from './stored-path.js';

/** Maximum depth to which references between schemas are followed. */
const REFERENCE_LIMIT = 20;

/**
 * Copies a provider's configuration with masked secrets. Secrets are members with `writeOnly: true` or `format:
 * "password"` in their schema, and texts whose name ends in a word such as secret or password.
 */
export function maskConfig(config: unknown, schema: JsonSchema | undefined): unknown {
  return replaceSecrets(config, schema, (value) => (isEmpty(value) ? value : MASK));
}

/**
 * Copies the configuration of a request, and replaces masked secrets by the stored ones.
 * @param sent the part that this request contains
 * @throws AdminError 400 if a stored secret would be sent to a changed address, or a masked secret cannot be matched
 * with a stored list item
 */
export function restoreSecrets(
  config: unknown,
  stored: unknown,
  { sent, schema }: { sent: unknown; schema: JsonSchema | undefined },
): unknown {
  const keptSecrets: string[] = [];
  const maskedConfig = maskConfig(config, schema);
  const maskedStored = maskConfig(stored, schema);
  const after = replaceSecrets(config, schema, (value, path) => {
    const isSent = !isEmpty(valueAt(sent, path)) && valueAt(sent, path) !== MASK;
    const pathInStored = findStoredPath(path, maskedConfig, maskedStored);
    if (pathInStored === undefined && value === MASK) throw unknownSecretError(path);
    const storedSecret = pathInStored && valueAt(stored, pathInStored);
    if (!isSent && !isEmpty(storedSecret)) keptSecrets.push(path.join('.'));
    return value === MASK ? storedSecret : value;
  });
  requireSecretsForNewAddress(stored, after, keptSecrets);
  return after;
}

function unknownSecretError(path: Path): AdminError {
  const message = 'must be sent again: its list has changed, so the stored secret cannot be matched';
  return new AdminError(400, {
    errorMessage: `config.${formatPath(path)}: ${message}`,
    errors: [{ pointer: formatPointer(path), message }],
  });
}

type Path = readonly (string | number)[];

/**
 * Replaces all secrets in a configuration.
 * @param replace receives each secret with its path. If it returns undefined, the member is left out
 */
function replaceSecrets(
  config: unknown,
  schema: JsonSchema | undefined,
  replace: (secret: unknown, path: Path) => unknown,
): unknown {
  const root = schema ?? {};
  return replaceIn(config, composedSchemas(root, root), [], false);

  function replaceIn(value: unknown, schemas: readonly JsonSchema[], path: Path, isNamed: boolean): unknown {
    if (schemas.some(isSecretSchema) || (isNamed && !isPlain(value))) return replace(value, path);
    if (Array.isArray(value)) {
      const itemSchemas = innerSchemas(schemas, ({ items }) => [items]);
      return value.map((item, index) => replaceIn(item, itemSchemas, [...path, index], isNamed)).filter(isDefined);
    }
    if (!isObject(value)) return value;
    const members = Object.entries(value).map(([name, member]) => {
      const schemasOfMember = innerSchemas(schemas, (parent) => memberSchemas(parent, name));
      return [name, replaceIn(member, schemasOfMember, [...path, name], isSecretName(name))] as const;
    });
    return Object.fromEntries(members.filter(([, member]) => isDefined(member)));
  }

  function innerSchemas(
    schemas: readonly JsonSchema[],
    pick: (schema: JsonSchema) => readonly unknown[],
  ): JsonSchema[] {
    return schemas.flatMap(pick).flatMap((candidate) => composedSchemas(candidate, root));
  }
}

/**
 * Returns the schema and all schemas that it refers to or is composed of. A value is a secret if any of them declares
 * it as one.
 */
function composedSchemas(schema: unknown, root: JsonSchema, depth = 0): JsonSchema[] {
  if (!isObject(schema) || depth > REFERENCE_LIMIT) return [];
  const { $ref, allOf, anyOf, oneOf, if: condition, then: thenSchema, else: elseSchema } = schema as JsonSchema;
  const composed = [allOf, anyOf, oneOf, condition, thenSchema, elseSchema].flat().filter(isDefined);
  const referredSchema =
    typeof $ref === 'string' && $ref.startsWith('#/') ? valueAt(root, parsePointer($ref)) : undefined;
  return [schema, ...[...composed, referredSchema].flatMap((candidate) => composedSchemas(candidate, root, depth + 1))];
}

function memberSchemas({ properties, patternProperties, additionalProperties }: JsonSchema, name: string): unknown[] {
  const byPattern = Object.entries((patternProperties ?? {}) as object).filter(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  );
  return [valueAt(properties, [name]), ...byPattern.map(([, schema]) => schema), additionalProperties];
}

function isSecretSchema({ writeOnly, format }: JsonSchema): boolean {
  return writeOnly === true || format === 'password';
}

/**
 * True for values that are not secrets just because of their name: booleans, numbers, and objects, whose members are
 * checked themselves.
 */
function isPlain(value: unknown): boolean {
  return typeof value === 'boolean' || typeof value === 'number' || typeof value === 'object';
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function isDefined(value: unknown): boolean {
  return value !== undefined;
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Record<string | number, unknown>)[part];
  }
  return current;
}

function parsePointer(reference: string): string[] {
  return reference
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
}
