import { REALM_SCHEMA, SHARED_SCHEMAS } from '../config/realm-file/schema/realm-schema.js';
import { userSchema } from '../config/realm-file/schema/user-schema.js';
import { defined } from '../model/defined.js';
import { pathOf } from './admin-routes.js';
import type { AdminOperation } from './operation.js';
import { taggedPath } from './preconditions/tagged-resource.js';

const REALM_PROPERTIES = REALM_SCHEMA.properties;
const COMPONENTS: Readonly<Record<string, object>> = {
  RealmRepresentation: REALM_SCHEMA,
  ClientRepresentation: REALM_PROPERTIES.clients.items,
  ClientScopeRepresentation: REALM_PROPERTIES.clientScopes.items,
  ProtocolMapperRepresentation: REALM_PROPERTIES.clientScopes.items.properties.protocolMappers.items,
  RoleRepresentation: REALM_PROPERTIES.roles.properties.realm.items,
  UserRepresentation: userSchema,
  CredentialRepresentation: userSchema.properties.credentials.items,
  GroupRepresentation: SHARED_SCHEMAS[0],
  ComponentRepresentation: SHARED_SCHEMAS[1],
  ApplicationRepresentation: SHARED_SCHEMAS[2],
};
const ERROR = {
  type: 'object',
  properties: {
    error: { type: 'string' },
    error_description: { type: 'string' },
    errorMessage: { type: 'string' },
  },
};

type Condition = 'If-Match' | 'If-None-Match';

const CONDITION_ANSWERS: Readonly<Record<string, object>> = {
  'If-None-Match': { 304: { description: 'Not changed: it still has this ETag' } },
  'If-Match': {
    412: {
      description: 'Changed since it was read: `etag` is the current ETag, `changed` its latest admin event',
      content: { 'application/json': { schema: { $ref: 'PreconditionFailedRepresentation' } } },
    },
  },
};
const PRECONDITION_FAILED = {
  type: 'object',
  properties: {
    ...ERROR.properties,
    etag: { type: 'string' },
    changed: {
      type: 'object',
      properties: {
        time: { type: 'integer' },
        ...Object.fromEntries(
          ['operationType', 'resourcePath', 'userId', 'username', 'clientId'].map((name) => [name, { type: 'string' }]),
        ),
      },
    },
  },
};

/** The OpenAPI 3.1 document of the Admin REST API. */
export function openApiDocument(operations: readonly AdminOperation[], server: string, version: string): object {
  const paths: Record<string, Record<string, unknown>> = {};
  const taggedPaths = new Set(operations.filter((operation) => operation.etag !== undefined).map(pathOf));
  for (const operation of operations) {
    const path = pathOf(operation).replaceAll('*}', '}') || '/';
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describeOperation(
      operation,
      path,
      conditionOf(operation, taggedPaths),
    );
  }
  return adaptSchemas({
    openapi: '3.1.0',
    info: {
      title: 'Keyhost Admin REST API',
      version,
      description: "Keycloak's paths and representations. Requires a bearer access token of the realm, or of master.",
    },
    servers: [{ url: `${server}/admin` }],
    security: [{ accessToken: [] }],
    paths,
    components: {
      securitySchemes: { accessToken: { type: 'http', scheme: 'bearer' } },
      schemas: {
        ...COMPONENTS,
        ErrorRepresentation: ERROR,
        PreconditionFailedRepresentation: PRECONDITION_FAILED,
      },
    },
  });
}

function describeOperation(operation: AdminOperation, path: string, condition: Condition | undefined): object {
  const { query = {}, roles } = operation;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(query).map(([name, { type, description, repeatable }]) =>
      defined({
        name,
        in: 'query',
        description,
        schema: repeatable === true ? { type: 'array', items: { type } } : { type },
      }),
    ),
    ...(condition === undefined ? [] : [{ name: condition, in: 'header', schema: { type: 'string' } }]),
  ];
  return {
    tags: [operation.tag],
    summary: operation.summary,
    ...(roles.length === 0 ? {} : { description: `Requires one of the roles ${roles.join(', ')}.` }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(operation),
    responses: { ...responsesOf(operation), ...CONDITION_ANSWERS[condition ?? ''] },
  };
}

/**
 * Returns the precondition header that an operation supports. For a GET it is `If-None-Match`, if the response has an
 * ETag. For a change it is `If-Match`, if a resource at its path or above has an ETag.
 */
function conditionOf(operation: AdminOperation, taggedPaths: ReadonlySet<string>): Condition | undefined {
  if (operation.method === 'GET') return operation.etag === undefined ? undefined : 'If-None-Match';
  return taggedPath(pathOf(operation), (path) => taggedPaths.has(path)) === undefined ? undefined : 'If-Match';
}

function requestBody({ body, textBody, formBody, mayBeForm, documentBody }: AdminOperation): object {
  if (documentBody === true) {
    const realm = { $ref: '#/components/schemas/RealmRepresentation' };
    return { requestBody: { required: false, content: { 'application/json': { schema: realm } } } };
  }
  if (formBody === true) return { requestBody: { content: { 'multipart/form-data': { schema: { type: 'object' } } } } };
  if (mayBeForm === true) {
    const content = { 'application/json': { schema: body }, 'multipart/form-data': { schema: { type: 'object' } } };
    return { requestBody: { required: true, content } };
  }
  if (textBody === true) return { requestBody: { content: { 'text/plain': { schema: { type: 'string' } } } } };
  return body === undefined
    ? {}
    : { requestBody: { required: true, content: { 'application/json': { schema: body } } } };
}

function responsesOf({ answers, body, scope, path, etag }: AdminOperation): object {
  const schema = typeof answers.body === 'string' ? { $ref: answers.body } : answers.body;
  const failure = (description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: 'ErrorRepresentation' } } },
  });
  return {
    [answers.status]: {
      description: answers.status === 201 ? 'Created; `Location` is its address' : 'Success',
      ...(etag === undefined ? {} : { headers: { ETag: { schema: { type: 'string' } } } }),
      ...(answers.stream === undefined ? {} : { content: { [answers.stream]: { schema: { type: 'string' } } } }),
      ...(schema === undefined ? {} : { content: { [mediaTypeOf(answers.body)]: { schema } } }),
    },
    ...(body === undefined ? {} : { 400: failure('The request is invalid') }),
    401: failure('The access token is missing or invalid'),
    403: failure('The caller lacks a required role'),
    ...(scope === undefined || path.includes('{') ? { 404: failure('Not found in this realm') } : {}),
  };
}

function mediaTypeOf(body: string | object | undefined): string {
  const isBinary = typeof body === 'object' && (body as { format?: unknown }).format === 'binary';
  return isBinary ? 'application/octet-stream' : 'application/json';
}

/** Converts schemas to OpenAPI: changes references, and removes Keyhost's own keyword `mustBe`. */
function adaptSchemas(value: unknown, inProperties = false): object {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? adaptSchemas(item) : item));
  const entries = Object.entries(value as object)
    .filter(([key]) => inProperties || (key !== 'mustBe' && key !== '$id'))
    .map(([key, member]) => {
      if (key === '$ref' && !inProperties) return [key, toReference(String(member))];
      return [key, isObject(member) ? adaptSchemas(member, key === 'properties' || key === 'paths') : member];
    });
  return Object.fromEntries(entries);
}

function toReference(name: string): string {
  if (name.startsWith('#')) return name;
  const sharedSchema = SHARED_SCHEMAS.find((schema) => schema.$id === name);
  const componentName = Object.entries(COMPONENTS).find(([, schema]) => schema === sharedSchema)?.[0];
  return `#/components/schemas/${componentName ?? name}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
