import { type AdminParts, adminOperations } from '../../admin/admin-operations.js';
import { pathOf } from '../../admin/admin-routes.js';
import { openApiDocument } from '../../admin/openapi.js';
import type { AdminOperation } from '../../admin/operation.js';
import { code, codes, page, plain, table } from './markdown.js';

/** A stand-in for every service of the host: the operations are only described, never executed. */
const STAND_IN: unknown = new Proxy(() => {}, { get: () => STAND_IN, apply: () => STAND_IN });

/** Returns all operations of the Admin REST API. */
export function operations(): readonly AdminOperation[] {
  return adminOperations(STAND_IN as AdminParts);
}

/** Returns the OpenAPI document of a host at an address. */
export function openApi(address: string, version: string): object {
  return openApiDocument(operations(), address, version);
}

/** Returns the page with every operation of the Admin REST API. */
export async function adminApiPage(): Promise<string> {
  const byTag = new Map<string, AdminOperation[]>();
  for (const operation of operations()) byTag.set(operation.tag, [...(byTag.get(operation.tag) ?? []), operation]);
  const parts = [...byTag]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([tag, tagOperations]) => [
      `## ${tag.charAt(0).toUpperCase()}${tag.slice(1).toLowerCase()}`,
      tableOf(tagOperations),
    ]);
  return page(
    'Admin REST API operations',
    'Paths begin with `/admin`. Send an access token as a bearer token.\n[The Admin REST API](../../admin/README.md) explains rights, conditional requests and the differences from Keycloak. A running\nserver answers this list as OpenAPI 3.1 at `/admin/openapi.json`, without a token.',
    '- *Roles*: the caller requires one of these roles of `realm-management`, or of `<realm>-realm` in `master`. `admin` of `master` may do\n  everything. A dash means that the operation itself decides, for each thing.\n- *Answer*: the status of a success and its body. An operation can also answer 400, 401, 403 and 404.\n- *Event*: the resource type of the [admin event](events.md#admin-events).\n- *ETag*: the operation answers an `ETag`; you can send it back as `If-Match`.',
    ...parts,
  );
}

function rolesOf({ roles, forHostAdmins, forRealmCreators }: AdminOperation): string {
  if (forHostAdmins === true) return '`admin` of `master`';
  if (forRealmCreators === true) return '`create-realm` of `master`';
  return codes(roles) || '–';
}

function tableOf(all: readonly AdminOperation[]): string {
  const rows = [...all].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : pathOf(a) > pathOf(b) ? 1 : 0));
  return table(
    ['operation', 'effect', 'roles', 'answer', 'event'],
    rows.map((operation) => [
      code(`${operation.method} ${pathOf(operation) || '/'}`),
      [plain(operation.summary), ...queryOf(operation)].join('<br>'),
      rolesOf(operation),
      answerOf(operation),
      operation.event === undefined ? '' : code(operation.event.resourceType),
    ]),
  );
}

function queryOf({ query = {} }: AdminOperation): string[] {
  const names = Object.keys(query);
  return names.length === 0 ? [] : [`Query: ${codes(names)}`];
}

function answerOf({ answers, etag }: AdminOperation): string {
  const { status, body, stream } = answers;
  const parts = [String(status), stream === undefined ? bodyOf(body) : code(stream), etag === undefined ? '' : 'ETag'];
  return parts.filter((part) => part !== '').join(', ');
}

function bodyOf(body: string | object | undefined): string {
  if (typeof body === 'string') return plain(body);
  if (body === undefined) return '';
  const { type, items, $ref, format } = body as {
    type?: string;
    items?: object | string;
    $ref?: string;
    format?: string;
  };
  if ($ref !== undefined) return plain($ref.split('/').at(-1) ?? $ref);
  if (format === 'binary') return 'a file';
  if (type === 'array') return `list of ${plural(bodyOf(items) || 'object')}`;
  return plain(type ?? 'object');
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) ? `${type}s` : type;
}
