import { badRequestError, notFoundError } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import type { ClientParts } from './client-operations.js';
import { requireManagedClient } from './client-rights.js';
import { requireClient } from './find-client.js';

const TAG = 'Clients';
const PATH = '/clients/{clientUuid}';
const GLOBAL_RESULT = {
  status: 200,
  body: {
    type: 'object',
    properties: {
      successRequests: { type: 'array', items: { type: 'string' } },
      failedRequests: { type: 'array', items: { type: 'string' } },
    },
  },
} as const;

/**
 * Operations on a client's nodes, which Keycloak's old adapters registered. Nodes are stored and returned, but never
 * called. Operations that would call them report a failed call.
 */
export function clientNodeOperations({ edits, users, clock }: ClientParts): AdminOperation[] {
  return [
    {
      method: 'POST',
      path: `${PATH}/nodes`,
      tag: TAG,
      summary: 'Register a node of a client',
      roles: ['manage-clients'],
      body: { type: 'object', properties: { node: { type: 'string', maxLength: 255 } } },
      answers: { status: 204 },
      event: { resourceType: 'CLUSTER_NODE' },
      async handle(call) {
        const { node = '' } = call.body as { node?: string };
        if (!/^[^\s<>"'&;()/\\]+$/.test(node) || node === '__proto__')
          throw badRequestError('Node not found in params');
        await requireManagedClient(users, call);
        await edits.edit(call.realm.name, (draft) => {
          const client = requireClient(draft, call.params.clientUuid);
          client.registeredNodes = { ...client.registeredNodes, [node]: Math.floor(clock.now() / 1000) };
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: `${PATH}/nodes/{node}`,
      tag: TAG,
      summary: 'Remove a node of a client',
      roles: ['manage-clients'],
      answers: { status: 204 },
      event: { resourceType: 'CLUSTER_NODE' },
      async handle(call) {
        await requireManagedClient(users, call);
        await edits.edit(call.realm.name, (draft) => {
          const client = requireClient(draft, call.params.clientUuid);
          const nodes = Object.entries(client.registeredNodes ?? {});
          const otherNodes = nodes.filter(([node]) => node !== call.params.node);
          if (otherNodes.length === nodes.length) throw notFoundError('Client does not have node');
          if (otherNodes.length > 0) client.registeredNodes = Object.fromEntries(otherNodes);
          else delete client.registeredNodes;
        });
        return undefined;
      },
    },
    {
      method: 'GET',
      path: `${PATH}/test-nodes-available`,
      tag: TAG,
      summary: 'The nodes of a client, all reported as unreachable',
      roles: ['manage-clients'],
      answers: GLOBAL_RESULT,
      async handle(call) {
        const { registeredNodes = {} } = await requireManagedClient(users, call);
        return ok(failedRequests(Object.keys(registeredNodes)));
      },
    },
    {
      method: 'POST',
      path: `${PATH}/push-revocation`,
      tag: TAG,
      summary: 'Push the not-before time to a client; Keyhost sends nothing',
      roles: ['manage-clients'],
      answers: GLOBAL_RESULT,
      event: { resourceType: 'CLIENT', operation: 'ACTION' },
      async handle(call) {
        const { adminUrl } = await requireManagedClient(users, call);
        return ok(failedRequests(adminUrl ? [adminUrl] : []));
      },
    },
  ];
}

function failedRequests(addresses: readonly string[]): object {
  return addresses.length === 0 ? {} : { failedRequests: addresses };
}
