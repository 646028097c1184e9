import type { JsonSchema } from '../json-schema.js';

/** Roles of `realm-management` that a page may ask for. */
export const PAGE_ROLES = [
  ...['authorization', 'clients', 'events', 'identity-providers', 'realm', 'users'].flatMap((area) => [
    `manage-${area}`,
    `view-${area}`,
  ]),
  'create-client',
  'impersonation',
  'query-clients',
  'query-groups',
  'query-realms',
  'query-users',
  'realm-admin',
];

const NAME = {
  type: 'string',
  pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
  mustBe: 'a name of letters, digits, - and _ that begins with a letter',
} as const;
const PLAIN_TEXT = { type: 'string', minLength: 1, maxLength: 2000 } as const;
/** A single schema for a text and for texts by language, so that each mistake is reported once. */
const TEXT_SCHEMA: JsonSchema = {
  ...PLAIN_TEXT,
  type: ['string', 'object'] as never,
  propertyNames: { pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$' },
  additionalProperties: { $ref: '#/definitions/words' },
  required: ['en'],
  maxProperties: 20,
};
/** A reference to a schema that is compiled once, instead of at each place, so that a start reads less code. */
const reference = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });
const TEXT = reference('text');
const CALL = reference('call');
const AS = reference('as');
const POINTER = reference('pointer');
const POINTER_SCHEMA = {
  type: 'string',
  pattern: '^(/([^~/]|~[01])*)*$',
  mustBe: 'a JSON pointer, such as /name',
  maxLength: 500,
} as const;
/** A path begins with a single slash, since browsers read two slashes as the beginning of another host. */
export const LINK = {
  type: 'string',
  pattern: '^(https://[^\\s\\\\]+|/([^\\s/\\\\][^\\s\\\\]*)?)$',
  mustBe: 'a path of the admin console, such as /users, or an https: address',
  maxLength: 2000,
} as const;
const SCHEMA_OBJECT = { type: 'object' } as const;
const TRUE = { const: true } as const;

const closedObject = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: JsonSchema, maxItems: number, minItems = 0): JsonSchema => ({
  type: 'array',
  items,
  maxItems,
  minItems,
});
const mapOf = (additionalProperties: JsonSchema, propertyNames: JsonSchema, maxProperties: number): JsonSchema => ({
  type: 'object',
  propertyNames,
  additionalProperties,
  maxProperties,
});

const PAGE_LINK = reference('link');
const CALL_SCHEMA = closedObject(
  {
    operation: NAME,
    with: mapOf(
      {
        ...closedObject({ row: POINTER, subject: { const: 'id' } }, []),
        minProperties: 1,
        maxProperties: 1,
      },
      NAME,
      20,
    ),
  },
  ['operation'],
);
const VALUE = { maxLength: 100 } as const;
const BADGE = closedObject(
  {
    badge: mapOf({ enum: ['good', 'warning', 'bad', 'neutral'] }, VALUE, 50),
    words: mapOf(TEXT, VALUE, 50),
  },
  ['badge'],
);
const AS_SCHEMA: JsonSchema = {
  if: { type: 'object' },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: BADGE,
  else: { enum: ['text', 'code', 'number', 'time', 'yesno', 'user', 'client', 'link'] },
};
const COLUMN = { title: TEXT, at: POINTER, as: AS };
const ACTION_SCHEMA = closedObject(
  {
    title: TEXT,
    does: {
      type: 'object',
      if: { required: ['form'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: closedObject({ form: NAME }, ['form']),
      else: CALL,
    },
    confirm: TEXT,
    danger: TRUE,
  },
  ['title', 'does'],
);

const BLOCKS: Readonly<Record<string, JsonSchema>> = {
  text: closedObject(
    {
      kind: { const: 'text' },
      text: TEXT,
      tone: { enum: ['info', 'warning'] },
      link: PAGE_LINK,
    },
    ['kind', 'text'],
  ),
  table: closedObject(
    {
      kind: { const: 'table' },
      id: NAME,
      title: TEXT,
      link: PAGE_LINK,
      rows: CALL,
      key: POINTER,
      columns: list(closedObject(COLUMN, ['title', 'at']), 12, 1),
      search: TRUE,
      empty: TEXT,
      actions: list(reference('action'), 10),
      rowActions: list(reference('action'), 10),
    },
    ['kind', 'id', 'title', 'rows', 'key', 'columns', 'empty'],
  ),
  form: closedObject(
    {
      kind: { const: 'form' },
      id: NAME,
      title: TEXT,
      link: PAGE_LINK,
      schema: SCHEMA_OBJECT,
      fields: mapOf(closedObject({ title: TEXT, help: TEXT }, []), POINTER, 100),
      initial: CALL,
      submit: CALL,
      submitTitle: TEXT,
      opens: { const: 'by-action' },
      result: closedObject(
        { show: list(closedObject({ ...COLUMN, once: TRUE }, ['title', 'at']), 12), reload: list(NAME, 20) },
        ['show'],
      ),
    },
    ['kind', 'id', 'title', 'schema', 'submit', 'submitTitle'],
  ),
};

/** The schema of a page: unknown members are rejected. */
export const PAGE_SCHEMA: JsonSchema = {
  definitions: {
    words: PLAIN_TEXT,
    text: TEXT_SCHEMA,
    pointer: POINTER_SCHEMA,
    call: CALL_SCHEMA,
    as: AS_SCHEMA,
    action: ACTION_SCHEMA,
    link: closedObject({ title: TEXT, to: LINK }, ['title', 'to']),
  },
  ...closedObject(
    {
      title: TEXT,
      at: { enum: ['realm', 'user', 'client', 'provider'] },
      view: list({ enum: PAGE_ROLES }, 20, 1),
      manage: list({ enum: PAGE_ROLES }, 20),
      operations: mapOf(
        closedObject({ method: { enum: ['GET', 'POST', 'PUT', 'DELETE'] }, body: SCHEMA_OBJECT }, ['method']),
        NAME,
        50,
      ),
      blocks: list(
        {
          type: 'object',
          properties: { kind: { enum: Object.keys(BLOCKS) } },
          required: ['kind'],
          allOf: Object.entries(BLOCKS).map(([kind, block]) => ({
            if: { properties: { kind: { const: kind } }, required: ['kind'] },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: block,
          })),
        },
        20,
        1,
      ),
    },
    ['title', 'at', 'view', 'manage', 'operations', 'blocks'],
  ),
};
