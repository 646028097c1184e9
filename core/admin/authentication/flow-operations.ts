import type { RealmEdits } from '../../realms/realm-edits.js';
import { badRequest, badRequestError } from '../admin.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { requestedId } from '../requested-id.js';
import { FLOW_MEMBERS } from '../strict-representations.js';
import { editAuthentication } from './authentication-edits.js';
import { completeFlows, type Flow, flowByAlias, flowById } from './complete-flows.js';
import { copyFlow, newFlow, removeFlow, renameFlow } from './flow-edits.js';
import { requireFreeAlias, requireNoReservedCharacters } from './flow-names.js';
import { describeUseOfFlow } from './flow-references.js';

export interface FlowOperationParts {
  readonly edits: RealmEdits;
}

const TAG = 'Authentication Management';
/** Roles that may list flows. Clients refer to flows too. */
export const FLOW_READERS = ['view-realm', 'view-clients', 'query-clients'] as const;
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const FLOW_SCHEMA = {
  type: 'object',
  properties: {
    id: TEXT,
    alias: TEXT,
    description: TEXT,
    providerId: { enum: ['basic-flow', 'client-flow', 'form-flow', null] },
    topLevel: { type: ['boolean', 'null'] },
    builtIn: { type: ['boolean', 'null'] },
  },
};

interface FlowInput {
  readonly id?: string | null;
  readonly alias?: string | null;
  readonly description?: string | null;
  readonly providerId?: string | null;
  readonly topLevel?: boolean | null;
}

/** `/authentication/flows` (Keycloak's AuthenticationManagementResource). */
export function flowOperations({ edits }: FlowOperationParts): AdminOperation[] {
  const writeOperation = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'AUTH_FLOW' } } as const;
  return [
    {
      method: 'GET',
      path: '/authentication/flows',
      tag: TAG,
      summary: 'The top-level flows',
      roles: FLOW_READERS,
      answers: { status: 200, body: { type: 'array', items: FLOW_SCHEMA } },
      handle({ realm }) {
        const flows = completeFlows(realm.id, realm.representation);
        // Keycloak's API does not list this flow either.
        return ok(
          flows.filter(({ topLevel, alias }) => topLevel === true && alias !== 'saml ecp').map(toRepresentation),
        );
      },
    },
    {
      method: 'POST',
      path: '/authentication/flows',
      ...writeOperation,
      summary: 'Create an empty flow',
      body: FLOW_SCHEMA,
      strict: FLOW_MEMBERS,
      ignoredMembers: ['builtIn'],
      answers: { status: 201 },
      handle(call) {
        const { realm, admin, body } = call;
        const { id, alias, description, providerId, topLevel } = body as FlowInput;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          requireNoReservedCharacters(alias);
          const name = requireFreeAlias(flows, alias, `Flow ${alias} already exists`);
          const emptyFlow = newFlow(name, description, providerId, topLevel ?? true);
          const flow = { ...emptyFlow, id: requestedId(id, flows) };
          flows.push(flow);
          return created(call, flow.id);
        });
      },
    },
    {
      method: 'GET',
      path: '/authentication/flows/{id}',
      tag: TAG,
      summary: 'One flow',
      roles: ['view-realm'],
      etag: true,
      answers: { status: 200, body: FLOW_SCHEMA },
      handle: ({ realm, params: { id } }) =>
        ok(toRepresentation(flowById(completeFlows(realm.id, realm.representation), id))),
    },
    {
      method: 'PUT',
      path: '/authentication/flows/{id}',
      ...writeOperation,
      summary: 'Change the name and the description of a flow',
      body: FLOW_SCHEMA,
      strict: FLOW_MEMBERS,
      ignoredMembers: ['id', 'providerId', 'topLevel', 'builtIn'],
      answers: { status: 204 },
      async handle({ realm, admin, params: { id }, body }) {
        const { alias, description } = body as FlowInput;
        await editAuthentication(edits, { realm, admin }, (draft) => {
          const flow = flowById(draft.flows, id);
          if (alias !== undefined && alias !== flow.alias) renameFlow(draft, flow, alias);
          if (description != null) flow.description = description;
        });
        return undefined;
      },
    },
    {
      method: 'DELETE',
      path: '/authentication/flows/{id}',
      ...writeOperation,
      summary: 'Remove a flow with everything in it',
      answers: { status: 204 },
      async handle({ realm, admin, params: { id } }) {
        await editAuthentication(edits, { realm, admin }, (draft) => {
          const flow = flowById(draft.flows, id);
          if (flow.builtIn === true) throw badRequestError("Can't delete built in flow");
          const use = describeUseOfFlow(draft.realm, flow);
          if (use !== undefined) throw badRequest(`Cannot remove authentication flow, it is currently in use: ${use}`);
          removeFlow(draft, flow);
        });
        return undefined;
      },
    },
    {
      method: 'POST',
      path: '/authentication/flows/{alias}/copy',
      ...writeOperation,
      summary: 'Copy a flow, with the flows in it, under a new name',
      body: { type: 'object', properties: { newName: TEXT } },
      answers: { status: 201 },
      handle(call) {
        const { alias } = call.params;
        const { realm, admin, body } = call;
        const { newName } = body as { newName?: string | null };
        return editAuthentication(edits, { realm, admin }, (draft) => {
          const originalFlow = flowByAlias(draft.flows, alias);
          const name = requireFreeAlias(draft.flows, newName, 'New flow alias name already exists');
          return created(call, copyFlow(draft, originalFlow, name));
        });
      },
    },
  ];
}

function toRepresentation({ authenticationExecutions, ...flow }: Flow) {
  return {
    ...flow,
    authenticationExecutions: authenticationExecutions.map(({ id: _, ...execution }) => {
      const isFlow = execution.flowAlias !== undefined;
      // Keycloak once misspelt this member, and still sends both spellings.
      return { userSetupAllowed: false, ...execution, authenticatorFlow: isFlow, autheticatorFlow: isFlow };
    }),
  };
}
