import { clientScopeNames } from '../../model/client-scope-names.js';
import { refuseDynamicScope, requireScope, SCOPE_LIST, scopeSummaries } from '../client-scopes/find-scope.js';
import { type AdminOperation, ok } from '../operation.js';
import { withEscalationCheck } from '../refuse-escalation.js';
import type { ClientParts } from './client-operations.js';
import { requireManagedClient } from './client-rights.js';
import { requireClient } from './find-client.js';

const SCOPE_LISTS = [
  { path: 'default-client-scopes', kind: 'default', key: 'defaultClientScopes', other: 'optionalClientScopes' },
  { path: 'optional-client-scopes', kind: 'optional', key: 'optionalClientScopes', other: 'defaultClientScopes' },
] as const;

/** Operations on the default and optional client scopes of a client. */
export function clientScopeListOperations({ edits, users }: ClientParts): AdminOperation[] {
  return SCOPE_LISTS.flatMap(({ path, kind, key, other }): AdminOperation[] => {
    const listPath = `/clients/{clientUuid}/${path}`;
    const scopePath = `${listPath}/{clientScopeId}`;
    const writeOperation = { tag: 'Clients', roles: ['manage-clients'], answers: { status: 204 } } as const;
    return [
      {
        method: 'GET',
        path: listPath,
        tag: 'Clients',
        summary: `The ${kind} client scopes of a client: names and IDs`,
        roles: ['view-clients'],
        answers: SCOPE_LIST,
        handle({ realm: { representation }, params }) {
          return ok(
            scopeSummaries(
              representation,
              clientScopeNames(requireClient(representation, params.clientUuid), representation)[key],
            ),
          );
        },
      },
      {
        ...writeOperation,
        method: 'PUT',
        path: scopePath,
        summary: `Add a client scope to a client, as a ${kind} one`,
        event: { resourceType: 'CLIENT_SCOPE_CLIENT_MAPPING', operation: 'CREATE' },
        async handle(call) {
          await requireManagedClient(users, call);
          await edits.edit(
            call.realm.name,
            withEscalationCheck(call.admin, (draft) => {
              const client = requireClient(draft, call.params.clientUuid);
              const scope = requireScope(draft, call.params.clientScopeId, 'Client scope not found');
              if (kind === 'default') refuseDynamicScope(scope, 'Client');
              const names = clientScopeNames(client, draft);
              client[other] = names[other].filter((name) => name !== scope.name);
              client[key] = [...new Set([...names[key], scope.name])];
            }),
          );
          return undefined;
        },
      },
      {
        ...writeOperation,
        method: 'DELETE',
        path: scopePath,
        summary: `Remove a client scope from the ${kind} ones of a client`,
        event: { resourceType: 'CLIENT_SCOPE_CLIENT_MAPPING' },
        async handle(call) {
          await requireManagedClient(users, call);
          await edits.edit(call.realm.name, (draft) => {
            const client = requireClient(draft, call.params.clientUuid);
            const scope = requireScope(draft, call.params.clientScopeId, 'Client scope not found');
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
