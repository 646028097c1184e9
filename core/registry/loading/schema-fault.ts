import type { JsonSchema } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { messageOf } from '../../model/thrown.js';
import { subschemas } from './schema-defaults.js';

const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** The keywords of JSON Schema that authors commonly use. */
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
 * Explains to a plugin's author why a schema cannot be compiled, with the position and a suggestion.
 * @param cause the error of Ajv
 */
export function schemaFault(schema: JsonSchema, cause: unknown): string {
  const unknownKeyword = /unknown keyword: "([^"]+)"/.exec(messageOf(cause))?.[1];
  for (const [path, subschema] of subschemas(schema)) {
    const pathOf = (keyword: string) => (path === '' ? keyword : `${path}.${keyword}`);
    const unknownType = [subschema.type]
      .flat()
      .find((word) => word !== undefined && !JSON_TYPES.includes(String(word)));
    if (unknownType !== undefined) {
      const suggestedType = didYouMean(String(unknownType), JSON_TYPES, 4);
      return `${pathOf('type')} is ${JSON.stringify(unknownType)}: it must be one of ${JSON_TYPES.join(', ')}${formatSuggestion(suggestedType)}`;
    }
    if (unknownKeyword !== undefined && Object.hasOwn(subschema, unknownKeyword)) {
      return `${pathOf(unknownKeyword)} is not a keyword of JSON Schema${formatSuggestion(didYouMean(unknownKeyword, KEYWORDS))}`;
    }
  }
  return messageOf(cause);
}

function formatSuggestion(word: string | undefined): string {
  return word === undefined ? '' : ` (did you mean "${word}"?)`;
}
