import type { Json, JsonObject, JsonSchema } from '../../json-schema.js';

const FORMATS: Readonly<Record<string, string>> = {
  email: 'someone@example.test',
  uri: 'http://localhost/',
  url: 'http://localhost/',
  'uri-reference': '/',
  hostname: 'localhost',
  ipv4: '127.0.0.1',
  ipv6: '::1',
  uuid: '00000000-0000-4000-8000-000000000000',
  date: '2026-01-01',
  time: '00:00:00Z',
  'date-time': '2026-01-01T00:00:00Z',
  duration: 'PT1H',
  regex: '.*',
};

/** Texts that patterns of settings often accept, in the order in which they are tried. */
const SAMPLE_TEXTS = [
  'x',
  'X',
  '1',
  'xx',
  'XX',
  'x1',
  '000000',
  'https://localhost/',
  'http://localhost/',
  'localhost',
  'PT1H',
  '/x',
];

/** Returns a value that matches the schema as far as its simple keywords determine it. `findUnfit` checks the value. */
export function sample(schema: JsonSchema): Json {
  const { const: constant, enum: choices, default: defaultValue, examples } = schema;
  if (constant !== undefined) return constant;
  if (defaultValue !== undefined) return defaultValue as Json;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as Json;
  if (choices?.[0] !== undefined) return choices[0];
  const alternatives = [schema.oneOf, schema.anyOf].find(Array.isArray) as readonly JsonSchema[] | undefined;
  if (schema.type === undefined && alternatives?.[0] !== undefined) return sample(alternatives[0]);
  switch (schema.type) {
    case 'object':
      return samples(schema);
    case 'array':
      return Array.from({ length: Number(schema.minItems ?? 0) }, () => sample(schema.items ?? {}));
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return sampleText(schema);
  }
}

/** Returns an object with the members that its schema requires. */
export function samples({ properties = {}, required = [] }: JsonSchema): JsonObject {
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
}

/** Returns the paths of texts that their schema rejects, because `sample` could not make them up. */
export function findUnfit(schema: JsonSchema, value: Json, path: string): readonly string[] {
  if (typeof value === 'string') return isFit(schema, value) ? [] : [path];
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => findUnfit(schema.items ?? {}, item, `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as JsonObject).flatMap(([name, member]) => {
    return findUnfit(schema.properties?.[name] ?? {}, member, path === '' ? name : `${path}.${name}`);
  });
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf, type }: JsonSchema): number {
  const step = Number(multipleOf ?? (type === 'integer' ? 1 : 0.5));
  if (minimum !== undefined) return Math.ceil(Number(minimum) / step) * step;
  if (exclusiveMinimum !== undefined) return (Math.floor(Number(exclusiveMinimum) / step) + 1) * step;
  if (maximum !== undefined) return Math.min(step, Math.floor(Number(maximum) / step) * step);
  if (exclusiveMaximum !== undefined) return Math.min(step, (Math.ceil(Number(exclusiveMaximum) / step) - 1) * step);
  return multipleOf === undefined ? 1 : step;
}

function sampleText(schema: JsonSchema): string {
  const formatSample = FORMATS[String(schema.format)];
  if (formatSample !== undefined) return formatSample;
  const length = Number(schema.minLength ?? 1);
  const candidates = SAMPLE_TEXTS.map((candidate) => candidate.padEnd(length, candidate.at(-1)));
  return candidates.find((candidate) => isFit(schema, candidate)) ?? (candidates[0] as string);
}

function isFit({ pattern, minLength, maxLength, format }: JsonSchema, value: string): boolean {
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) return false;
  if (typeof format === 'string' && FORMATS[format] === undefined && format !== 'password') return true;
  return value.length >= Number(minLength ?? 0) && value.length <= Number(maxLength ?? Number.POSITIVE_INFINITY);
}
