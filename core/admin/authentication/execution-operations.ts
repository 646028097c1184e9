import { randomUUID } from 'node:crypto';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { badRequest, badRequestError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { requestedId } from '../requested-id.js';
import { EXECUTION_INFO_MEMBERS, EXECUTION_MEMBERS } from '../strict-representations.js';
import { editAuthentication, removeUnusedConfigs } from './authentication-edits.js';
import {
  completeConfigs,
  completeFlows,
  type Execution,
  executionById,
  type Flow,
  flowByAlias,
  flowById,
  parentFlow,
} from './complete-flows.js';
import { executionInfos } from './execution-info.js';
import { newFlow, removeFlow, renameFlow } from './flow-edits.js';
import { requireFreeAlias } from './flow-names.js';
import { moveItem } from './move-item.js';
import { addableSteps, FORM_STEPS } from './step-catalogue.js';
import { isUnsupportedStep } from './unsupported-steps.js';

export interface ExecutionOperationParts {
  readonly edits: RealmEdits;
  readonly registry: ProviderRegistry;
}

const TAG = 'Authentication Management';
const NULLABLE_TEXT = { type: ['string', 'null'], maxLength: 255 };
const EXECUTION_SCHEMA = {
  type: 'object',
  properties: {
    id: NULLABLE_TEXT,
    requirement: { enum: ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED', null] },
    priority: { type: ['integer', 'null'] },
    displayName: NULLABLE_TEXT,
    description: NULLABLE_TEXT,
  },
};

/**
 * Operations on executions, which are the entries of flows: `/authentication/flows/{alias}/executions` and
 * `/authentication/executions`.
 */
export function executionOperations({ edits, registry }: ExecutionOperationParts): AdminOperation[] {
  const writeOperation = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'AUTH_EXECUTION' } } as const;
  const addExecution = (flow: Flow, { id = randomUUID(), ...execution }: Partial<Execution>): string => {
    if (flow.builtIn === true) throw badRequestError('It is illegal to add execution to a built in flow');
    const last = flow.authenticationExecutions.at(-1)?.priority ?? -1;
    flow.authenticationExecutions.push({ requirement: 'DISABLED', priority: last + 1, ...execution, id });
    return id;
  };
  const requireAddableStep = (flow: Flow, authenticator: string | null | undefined): string => {
    if (authenticator != null && addableSteps(registry, flow.providerId).includes(authenticator)) return authenticator;
    throw badRequestError(`No authentication provider found for id: ${authenticator}`);
  };
  return [
    {
      method: 'GET',
      path: '/authentication/flows/{alias}/executions',
      tag: TAG,
      summary: 'The executions of a flow and of its subflows, in one list',
      roles: ['view-realm'],
      etag: true,
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle({ realm, params: { alias }, exchange }) {
        const texts = new AdminTexts({ exchange });
        const flows = completeFlows(realm.id, realm.representation);
        const configs = completeConfigs(realm.id, realm.representation);
        return ok(executionInfos({ flows, configs, registry, texts }, flowByAlias(flows, alias)));
      },
    },
    {
      method: 'PUT',
      path: '/authentication/flows/{alias}/executions',
      ...writeOperation,
      summary: 'Change the requirement or the priority of a step; for a flow, also its name and description',
      body: EXECUTION_SCHEMA,
      strict: EXECUTION_INFO_MEMBERS,
      answers: { status: 202, body: EXECUTION_SCHEMA },
      async handle({ realm, admin, params: { alias }, body, setEventDetails }) {
        const input = body as ExecutionInput;
        await editAuthentication(edits, { realm, admin }, (draft) => {
          flowByAlias(draft.flows, alias);
          const { flow, execution } = executionById(draft.flows, input.id ?? undefined);
          const subFlow = draft.flows.find((candidate) => candidate.alias === execution.flowAlias);
          // As in Keycloak, any of the four requirements is accepted. A CONDITIONAL flow without conditions never runs.
          if (input.requirement != null) execution.requirement = input.requirement;
          // Keycloak's field is an `int`, so a missing priority means 0.
          execution.priority = input.priority ?? 0;
          flow.authenticationExecutions.sort((a, b) => a.priority - b.priority);
          if (subFlow === undefined || execution.authenticator !== undefined) {
            setEventDetails({ ignoredNames: ['displayName', 'description'] });
            return;
          }
          if (input.displayName != null && input.displayName !== subFlow.alias)
            renameFlow(draft, subFlow, input.displayName);
          if (input.description != null) subFlow.description = input.description;
        });
        return { status: 202, body };
      },
    },
    {
      method: 'POST',
      path: '/authentication/flows/{alias}/executions/execution',
      ...writeOperation,
      summary: 'Add a step at the end of a flow, disabled',
      body: { type: 'object', properties: { provider: NULLABLE_TEXT, priority: { type: ['integer', 'null'] } } },
      answers: { status: 201 },
      handle(call) {
        const { alias } = call.params;
        const { realm, admin, body, setEventDetails } = call;
        const { provider, ...input } = body as { provider?: string | null } & PriorityInput;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          const flow = parentFlow(flows, alias);
          const authenticator = requireAddableStep(flow, provider);
          if (isUnsupportedStep(authenticator)) setEventDetails({ ignored: [['provider']] });
          return created(
            call,
            addExecution(flow, { authenticator, authenticatorFlow: false, ...optionalPriority(input) }),
          );
        });
      },
    },
    {
      method: 'POST',
      path: '/authentication/flows/{alias}/executions/flow',
      ...writeOperation,
      event: { resourceType: 'AUTH_EXECUTION_FLOW' },
      summary: 'Add a flow at the end of a flow, disabled and empty',
      body: {
        type: 'object',
        properties: {
          alias: NULLABLE_TEXT,
          type: { enum: ['basic-flow', 'form-flow', null] },
          description: NULLABLE_TEXT,
          provider: NULLABLE_TEXT,
          priority: { type: ['integer', 'null'] },
        },
      },
      answers: { status: 201 },
      handle(call) {
        const { alias } = call.params;
        const { realm, admin, body } = call;
        const input = body as {
          [Key in 'alias' | 'type' | 'description' | 'provider']?: string | null;
        } & PriorityInput;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          const parent = parentFlow(flows, alias);
          const form = input.type === 'form-flow' ? (input.provider ?? '') : undefined;
          if (form !== undefined && !FORM_STEPS.includes(form))
            throw badRequest(`No form provider found for id: ${form}`);
          const name = requireFreeAlias(flows, input.alias, 'New flow alias name already exists');
          const flow = newFlow(name, input.description, form === undefined ? parent.providerId : 'form-flow', false);
          const formAuthenticator = form === undefined ? {} : { authenticator: form };
          addExecution(parent, {
            ...formAuthenticator,
            flowAlias: name,
            authenticatorFlow: true,
            ...optionalPriority(input),
          });
          flows.push(flow);
          return created(call, flow.id);
        });
      },
    },
    {
      method: 'POST',
      path: '/authentication/executions',
      ...writeOperation,
      summary: 'Add an execution to the flow with the ID parentFlow',
      body: {
        type: 'object',
        properties: { ...EXECUTION_SCHEMA.properties, parentFlow: NULLABLE_TEXT, authenticator: NULLABLE_TEXT },
      },
      strict: EXECUTION_MEMBERS,
      answers: { status: 201 },
      handle(call) {
        const { realm, admin, body, setEventDetails } = call;
        const { parentFlow, authenticator, requirement, ...input } = body as ExecutionInput;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          if (!flows.some(({ id }) => id === parentFlow)) throw badRequest("Parent flow doesn't exist");
          const flow = flowById(flows, parentFlow ?? undefined);
          const step = requireAddableStep(flow, authenticator);
          if (isUnsupportedStep(step)) setEventDetails({ ignored: [['authenticator']] });
          const id = requestedId(
            input.id,
            flows.flatMap((candidate) => candidate.authenticationExecutions),
          );
          const members = { id, ...(requirement == null ? {} : { requirement }), ...optionalPriority(input) };
          return created(call, addExecution(flow, { authenticator: step, ...members }));
        });
      },
    },
    {
      method: 'GET',
      path: '/authentication/executions/{id}',
      tag: TAG,
      summary: 'One step',
      roles: ['view-realm'],
      etag: true,
      answers: { status: 200, body: EXECUTION_SCHEMA },
      handle({ realm, params: { id } }) {
        const flows = completeFlows(realm.id, realm.representation);
        const { flow, execution } = executionById(flows, id);
        const { flowAlias, authenticatorConfig, ...members } = execution;
        const config = completeConfigs(realm.id, realm.representation).find(
          ({ alias }) => alias === authenticatorConfig,
        );
        return ok({
          ...members,
          authenticatorFlow: flowAlias !== undefined,
          flowId: flows.find(({ alias }) => alias === flowAlias)?.id,
          authenticatorConfig: config?.id,
          parentFlow: flow.id,
        });
      },
    },
    {
      method: 'DELETE',
      path: '/authentication/executions/{id}',
      ...writeOperation,
      summary: 'Remove a step; a flow with everything in it',
      answers: { status: 204 },
      async handle({ realm, admin, params: { id } }) {
        await editAuthentication(edits, { realm, admin }, (draft) => {
          const { flow, execution } = executionById(draft.flows, id);
          if (flow.builtIn === true) throw badRequest('It is illegal to remove execution from a built in flow');
          flow.authenticationExecutions.splice(flow.authenticationExecutions.indexOf(execution), 1);
          removeUnusedConfigs(draft, [execution]);
          const subFlow = draft.flows.find(({ alias }) => alias === execution.flowAlias);
          if (subFlow !== undefined && subFlow.builtIn !== true) removeFlow(draft, subFlow);
        });
        return undefined;
      },
    },
    ...(['raise', 'lower'] as const).map(
      (direction): AdminOperation => ({
        method: 'POST',
        path: `/authentication/executions/{id}/${direction}-priority`,
        ...writeOperation,
        event: { resourceType: 'AUTH_EXECUTION', operation: 'UPDATE' },
        summary: `Move a step one place ${direction === 'raise' ? 'up' : 'down'}`,
        answers: { status: 204 },
        async handle({ realm, admin, params: { id } }) {
          await editAuthentication(edits, { realm, admin }, ({ flows }) => {
            const { flow, execution } = executionById(flows, id);
            if (flow.builtIn === true) throw badRequest('It is illegal to modify execution in a built in flow');
            moveItem(flow.authenticationExecutions, execution, direction);
          });
          return undefined;
        },
      }),
    ),
  ];
}

interface PriorityInput {
  readonly priority?: number | null;
}

/** Returns the sent priority, if there is one. An execution without a priority is added at the end. */
function optionalPriority({ priority }: PriorityInput): { priority?: number } {
  return priority == null ? {} : { priority };
}

interface ExecutionInput extends PriorityInput {
  readonly id?: string | null;
  readonly requirement?: string | null;
  readonly displayName?: string | null;
  readonly description?: string | null;
  readonly parentFlow?: string | null;
  readonly authenticator?: string | null;
}
