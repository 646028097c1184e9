import { clientScopeNames } from '../../model/client-scope-names.js';
import { listedScopes, requireStatic, SCOPE_LIST, scopeWithId } from '../client-scopes/find-scope.js';
import { type AdminOperation, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import type { ClientParts } from './client-operations.js';
import { managedClient } from './client-rights.js';
import { clientWithId } from './find-client.js';

const SCOPE_LISTS = [
  { path: 'default-client-scopes', kind: 'default', key: 'defaultClientScopes', other: 'optionalClientScopes' },
  { path: 'optional-client-scopes', kind: 'optional', key: 'optionalClientScopes', other: 'defaultClientScopes' },
] as const;

/** The default and optional client scopes of a client. */
export function clientScopeListOperations({ edits, users }: ClientParts): AdminOperation[] {
  return SCOPE_LISTS.flatMap(({ path, kind, key, other }): AdminOperation[] => {
    const lists = `/clients/{clientUuid}/${path}`;
    const one = `${lists}/{clientScopeId}`;
    const shared = { tag: 'Clients', roles: ['manage-clients'], answers: { status: 204 } } as const;
    return [
      {
        method: 'GET',
        path: lists,
        tag: 'Clients',
        summary: `The ${kind} client scopes of a client: names and IDs`,
        roles: ['view-clients'],
        answers: SCOPE_LIST,
        handle({ realm: { representation }, params }) {
          return ok(
            listedScopes(
              representation,
              clientScopeNames(clientWithId(representation, params.clientUuid), representation)[key],
            ),
          );
        },
      },
      {
        ...shared,
        method: 'PUT',
        path: one,
        summary: `Add a client scope to a client, as a ${kind} one`,
        event: { resourceType: 'CLIENT_SCOPE_CLIENT_MAPPING', operation: 'CREATE' },
        async handle(call) {
          await managedClient(users, call);
          await edits.edit(
            call.realm.name,
            withEscalationCheck(call.admin, (draft) => {
              const client = clientWithId(draft, call.params.clientUuid);
              const scope = scopeWithId(draft, call.params.clientScopeId, 'Client scope not found');
              if (kind === 'default') requireStatic(scope, 'Client');
              const names = clientScopeNames(client, draft);
              client[other] = names[other].filter((name) => name !== scope.name);
              client[key] = [...new Set([...names[key], scope.name])];
            }),
          );
          return undefined;
        },
      },
      {
        ...shared,
        method: 'DELETE',
        path: one,
        summary: `Remove a client scope from the ${kind} ones of a client`,
        event: { resourceType: 'CLIENT_SCOPE_CLIENT_MAPPING' },
        async handle(call) {
          await managedClient(users, call);
          await edits.edit(call.realm.name, (draft) => {
            const client = clientWithId(draft, call.params.clientUuid);
            const scope = scopeWithId(draft, call.params.clientScopeId, 'Client scope not found');
            const names = clientScopeNames(client, draft);
            client[other] = names[other];
            client[key] = names[key].filter((name) => name !== scope.name);
          });
          return undefined;
        },
      },
    ];
  });
}
