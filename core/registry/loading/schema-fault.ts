import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { messageOf } from '../../model/thrown.js';
import { subschemas } from './schema-defaults.js';

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The keywords of JSON Schema that authors use. */
const KEYWORDS = [
  '$id',
  '$ref',
  '$defs',
  '$comment',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'items',
  'prefixItems',
  'contains',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'required',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
];

/**
 * Describes for the author why a schema cannot be compiled, with the position and a suggestion.
 * @param cause the error of Ajv
 */
export function schemaFault(schema: JsonSchema, cause: unknown): string {
  const unknown = /unknown keyword: "([^"]+)"/.exec(messageOf(cause))?.[1];
  for (const [path, part] of subschemas(schema)) {
    const at = (keyword: string) => (path === '' ? keyword : `${path}.${keyword}`);
    const type = [part.type].flat().find((word) => word !== undefined && !TYPES.includes(String(word)));
    if (type !== undefined) {
      const near = didYouMean(String(type), TYPES, 4);
      return `${at('type')} is ${JSON.stringify(type)}: it must be one of ${TYPES.join(', ')}${suggestion(near)}`;
    }
    if (unknown !== undefined && Object.hasOwn(part, unknown)) {
      return `${at(unknown)} is not a keyword of JSON Schema${suggestion(didYouMean(unknown, KEYWORDS))}`;
    }
  }
  return messageOf(cause);
}

function suggestion(word: string | undefined): string {
  return word === undefined ? '' : ` (did you mean "${word}"?)`;
}
