import { randomUUID } from 'node:crypto';
import { REALM_SCHEMA } from '../../config/realm-file/schema/realm-schema.js';
import type { ClientScopeRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { replaceScopeName } from '../../realms/replace-names.js';
import { badRequest, conflictError } from '../admin.js';
import { PROTOCOL_MAPPERS_SCHEMA, type ProtocolMapperInput, toMapper } from '../mappers/protocol-mapper-input.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { LOOSE_TEXTS, mergeTexts, partialSchema, SHORT_TEXT } from '../partial-schema.js';
import { type AdminQuery, PAGING, pageOf } from '../query.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { CLIENT_SCOPE_MEMBERS } from '../strict-representations.js';
import { requireScope, SCOPE_LIST } from './find-scope.js';

const SCOPE_SCHEMA = partialSchema({
  properties: {
    ...REALM_SCHEMA.properties.clientScopes.items.properties,
    id: { type: 'string', pattern: '^[A-Za-z0-9_-]{0,64}$', mustBe: '1 to 64 of A-Z a-z 0-9 _ -' },
    name: SHORT_TEXT,
    attributes: LOOSE_TEXTS,
    protocolMappers: PROTOCOL_MAPPERS_SCHEMA,
  },
});

/** A client scope in a request. Null means absent. */
interface ScopeInput {
  readonly id?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly protocol?: string | null;
  readonly attributes?: Readonly<Record<string, unknown>> | null;
  readonly protocolMappers?: readonly ProtocolMapperInput[] | null;
}

const TAG = 'Client Scopes';
/** Keyhost's extension: Keycloak always returns all client scopes. */
const LISTING = {
  search: { type: 'string', description: 'A part of the name or the description.' },
  protocol: { type: 'string', description: 'openid-connect or saml.' },
  ...PAGING,
} as const;
const SCOPE_PATH = '/client-scopes/{clientScopeId}';

/** Client scopes (Keycloak's ClientScopesResource and ClientScopeResource). */
export function clientScopeOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/client-scopes',
      tag: TAG,
      summary: 'The client scopes of the realm; with a search or a page, by name',
      roles: ['view-clients', 'query-clients'],
      query: LISTING,
      answers: SCOPE_LIST,
      handle: ({ realm, query }) => ok(listScopes(realm.representation, query).map(toRepresentation)),
    },
    {
      method: 'POST',
      path: '/client-scopes',
      tag: TAG,
      summary: 'Create a client scope',
      roles: ['manage-clients'],
      body: SCOPE_SCHEMA,
      strict: CLIENT_SCOPE_MEMBERS,
      answers: { status: 201 },
      event: { resourceType: 'CLIENT_SCOPE' },
      async handle(call) {
        const { realm, body } = call;
        const input = body as ScopeInput;
        const id = input.id || randomUUID();
        const answer = created(call, id);
        await edits.edit(
          realm.name,
          withEscalationCheck(call.admin, (draft) => {
            const name = requireFreeName(draft, input.name);
            requireProtocol(input.protocol);
            if (draft.clientScopes?.some((other) => other.id === id))
              throw conflictError(`Client Scope ${id} already exists`);
            draft.clientScopes = [
              ...(draft.clientScopes ?? []),
              {
                id,
                name,
                ...(input.description ? { description: input.description } : {}),
                protocol: input.protocol ?? 'openid-connect',
                attributes: mergeTexts({}, input.attributes ?? {}),
                protocolMappers: (input.protocolMappers ?? []).map((mapper) => toMapper(mapper)),
              },
            ];
          }),
        );
        return answer;
      },
    },
    {
      method: 'GET',
      path: SCOPE_PATH,
      tag: TAG,
      summary: 'A client scope',
      roles: ['view-clients'],
      etag: withoutMappers,
      answers: { status: 200, body: 'ClientScopeRepresentation' },
      handle: ({ realm, params }) => ok(toRepresentation(requireScope(realm.representation, params.clientScopeId))),
    },
    {
      method: 'PUT',
      path: SCOPE_PATH,
      tag: TAG,
      summary: 'Update a client scope; its clients follow a new name. Mappers have their own paths',
      roles: ['manage-clients'],
      body: SCOPE_SCHEMA,
      strict: CLIENT_SCOPE_MEMBERS,
      ignoredMembers: ['id', 'protocolMappers'],
      answers: { status: 204 },
      event: { resourceType: 'CLIENT_SCOPE' },
      async handle({ realm, admin, params, body }) {
        const input = body as ScopeInput;
        await edits.edit(
          realm.name,
          withEscalationCheck(admin, (draft, effects) => {
            const scope = requireScope(draft, params.clientScopeId);
            if (input.name !== undefined && input.name !== null && input.name !== scope.name) {
              const name = requireFreeName(draft, input.name);
              replaceScopeName(draft, effects, scope.name, name);
              scope.name = name;
            }
            if (typeof input.description === 'string') scope.description = input.description;
            if (input.protocol) {
              requireProtocol(input.protocol);
              scope.protocol = input.protocol;
            }
            if (input.attributes) scope.attributes = mergeTexts(scope.attributes, input.attributes);
          }),
        );
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: SCOPE_PATH,
      tag: TAG,
      summary: 'Remove a client scope, from clients and the realm’s defaults too',
      roles: ['manage-clients'],
      answers: { status: 204 },
      event: { resourceType: 'CLIENT_SCOPE' },
      async handle({ realm, params }) {
        await edits.edit(realm.name, (draft, effects) => {
          const scope = requireScope(draft, params.clientScopeId);
          draft.clientScopes = draft.clientScopes?.filter((other) => other !== scope);
          replaceScopeName(draft, effects, scope.name);
        });
        return undefined;
      },
    },
  ];
}

/** Without a search and a page, the list is whole and has the stored order, as in Keycloak. */
function listScopes({ clientScopes = [] }: RealmRepresentation, query: AdminQuery): ClientScopeRepresentation[] {
  const search = query.string('search')?.trim().toLowerCase();
  const protocol = query.string('protocol');
  const isPage = query.integer('first') !== undefined || query.integer('max') !== undefined;
  const found = clientScopes.filter(
    (scope) =>
      (search === undefined || `${scope.name}\n${scope.description ?? ''}`.toLowerCase().includes(search)) &&
      (protocol === undefined || (scope.protocol ?? 'openid-connect') === protocol),
  );
  if (search === undefined && !isPage) return found;
  return pageOf(
    found.sort((a, b) => (a.name < b.name ? -1 : 1)),
    query.page('all'),
  );
}

/** Mappers have tags of their own. */
function withoutMappers(body: unknown): unknown {
  const { protocolMappers: _, ...scope } = body as ClientScopeRepresentation;
  return scope;
}

function toRepresentation({ protocolMappers, ...scope }: ClientScopeRepresentation): ClientScopeRepresentation {
  // As in Keycloak, an empty list is left out.
  const mappers = protocolMappers !== undefined && protocolMappers.length > 0 ? { protocolMappers } : {};
  return { protocol: 'openid-connect', attributes: {}, ...scope, ...mappers };
}

/** @throws AdminError 400 */
function requireProtocol(protocol: string | null | undefined): void {
  if (protocol == null || protocol === 'openid-connect' || protocol === 'saml') return;
  throw badRequest('Unexpected protocol');
}

/**
 * Returns the name if it is free. Requests contain the names of scopes, so only the characters of RFC 6749 §3.3 are
 * allowed.
 * @throws AdminError 400; 409
 */
function requireFreeName({ clientScopes = [] }: RealmRepresentation, name: string | null | undefined): string {
  if (!name || !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) {
    throw badRequest(`Unexpected name "${name ?? ''}" for ClientScope`);
  }
  if (clientScopes.some((other) => other.name === name)) throw conflictError(`Client Scope ${name} already exists`);
  return name;
}
