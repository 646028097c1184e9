import { clientScopeNames } from '../../model/client-scope-names.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { RealmEdits } from '../../realms/realm-edits.js';
import { type AdminOperation, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import { refuseDynamicScope, requireScope, SCOPE_LIST, scopeSummaries } from './find-scope.js';

const SCOPE_LISTS = [
  {
    path: '/default-default-client-scopes',
    kind: 'default',
    key: 'defaultDefaultClientScopes',
    other: 'defaultOptionalClientScopes',
  },
  {
    path: '/default-optional-client-scopes',
    kind: 'optional',
    key: 'defaultOptionalClientScopes',
    other: 'defaultDefaultClientScopes',
  },
] as const;

/** The default and optional client scopes of new clients. As in Keycloak, a change does not affect existing clients. */
export function defaultScopeOperations({ edits }: { readonly edits: RealmEdits }): AdminOperation[] {
  return SCOPE_LISTS.flatMap(({ path, kind, key, other }): AdminOperation[] => {
    const writeOperation = { path: `${path}/{clientScopeId}`, tag: 'Realms Admin', answers: { status: 204 } } as const;
    return [
      {
        method: 'GET',
        path,
        tag: 'Realms Admin',
        summary: `The ${kind} client scopes of new clients`,
        roles: ['view-clients', 'view-realm'],
        answers: SCOPE_LIST,
        handle: ({ realm: { representation } }) => ok(scopeSummaries(representation, representation[key] ?? [])),
      },
      {
        ...writeOperation,
        method: 'PUT',
        summary: `Make a client scope a ${kind} one of new clients`,
        roles: ['manage-clients'],
        event: { resourceType: 'CLIENT_SCOPE', operation: 'CREATE' },
        async handle(call) {
          await edits.edit(
            call.realm.name,
            withEscalationCheck(call.admin, (draft) => {
              const scope = requireScope(draft, call.params.clientScopeId, 'Client scope not found');
              if (kind === 'default') refuseDynamicScope(scope, 'Realm');
              call.setEventDetails({ unchanged: draft[key]?.includes(scope.name) === true });
              storeClientScopes(draft);
              draft[other] = (draft[other] ?? []).filter((name) => name !== scope.name);
              draft[key] = [...new Set([...(draft[key] ?? []), scope.name])];
            }),
          );
          return undefined;
        },
      },
      {
        ...writeOperation,
        method: 'DELETE',
        summary: `Stop making a client scope a ${kind} one of new clients`,
        roles: ['manage-clients'],
        event: { resourceType: 'CLIENT_SCOPE' },
        async handle(call) {
          await edits.edit(call.realm.name, (draft) => {
            const scope = requireScope(draft, call.params.clientScopeId, 'Client scope not found');
            storeClientScopes(draft);
            draft[key] = (draft[key] ?? []).filter((name) => name !== scope.name);
          });
          return undefined;
        },
      },
    ];
  });
}

/**
 * Stores the current scopes in all clients. Clients of realm files may use the realm's lists, and a change of the lists
 * must not affect them.
 */
function storeClientScopes(draft: RealmRepresentation): void {
  for (const client of draft.clients ?? []) {
    Object.assign(client, clientScopeNames(client, draft));
  }
}
