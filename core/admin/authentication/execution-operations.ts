import { randomUUID } from 'node:crypto';
import type { RealmEdits } from '../../realms/realm-edits.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { badRequest, badRequestError } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, created, ok } from '../operation.js';
import { requestedId } from '../requested-id.js';
import { EXECUTION_INFO_MEMBERS, EXECUTION_MEMBERS } from '../strict-representations.js';
import { dropConfigs, editAuthentication } from './authentication-edits.js';
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
import { freeAlias } from './flow-names.js';
import { moveItem } from './move-item.js';
import { addableSteps, FORMS } from './step-catalogue.js';
import { isMissing } from './unprovided-steps.js';

export interface ExecutionOperationParts {
  readonly edits: RealmEdits;
  readonly registry: ProviderRegistry;
}

const TAG = 'Authentication Management';
const TEXT = { type: ['string', 'null'], maxLength: 255 };
const EXECUTION_SCHEMA = {
  type: 'object',
  properties: {
    id: TEXT,
    requirement: { enum: ['REQUIRED', 'ALTERNATIVE', 'CONDITIONAL', 'DISABLED', null] },
    priority: { type: ['integer', 'null'] },
    displayName: TEXT,
    description: TEXT,
  },
};

/** The steps of flows: `/authentication/flows/{alias}/executions` and `/authentication/executions`. */
export function executionOperations({ edits, registry }: ExecutionOperationParts): AdminOperation[] {
  const change = { tag: TAG, roles: ['manage-realm'], event: { resourceType: 'AUTH_EXECUTION' } } as const;
  const add = (flow: Flow, { id = randomUUID(), ...execution }: Partial<Execution>): string => {
    if (flow.builtIn === true) throw badRequestError('It is illegal to add execution to a built in flow');
    const last = flow.authenticationExecutions.at(-1)?.priority ?? -1;
    flow.authenticationExecutions.push({ requirement: 'DISABLED', priority: last + 1, ...execution, id });
    return id;
  };
  const checkStep = (flow: Flow, authenticator: string | null | undefined): string => {
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
        const words = new AdminTexts({ exchange });
        const flows = completeFlows(realm.id, realm.representation);
        const configs = completeConfigs(realm.id, realm.representation);
        return ok(executionInfos({ flows, configs, registry, words }, flowByAlias(flows, alias)));
      },
    },
    {
      method: 'PUT',
      path: '/authentication/flows/{alias}/executions',
      ...change,
      summary: 'Change the requirement or the priority of a step; for a flow, also its name and description',
      body: EXECUTION_SCHEMA,
      strict: EXECUTION_INFO_MEMBERS,
      answers: { status: 202, body: EXECUTION_SCHEMA },
      async handle({ realm, admin, params: { alias }, body, setEventDetails }) {
        const sent = body as SentExecution;
        await editAuthentication(edits, { realm, admin }, (draft) => {
          flowByAlias(draft.flows, alias);
          const { flow, execution } = executionById(draft.flows, sent.id ?? undefined);
          const inner = draft.flows.find((one) => one.alias === execution.flowAlias);
          // As in Keycloak, any of the four requirements is accepted. A CONDITIONAL flow without conditions never runs.
          if (sent.requirement != null) execution.requirement = sent.requirement;
          // Keycloak's member is a primitive number, so it is 0 if it was not sent.
          execution.priority = sent.priority ?? 0;
          flow.authenticationExecutions.sort((a, b) => a.priority - b.priority);
          if (inner === undefined || execution.authenticator !== undefined) {
            setEventDetails({ ignoredNames: ['displayName', 'description'] });
            return;
          }
          if (sent.displayName != null && sent.displayName !== inner.alias) renameFlow(draft, inner, sent.displayName);
          if (sent.description != null) inner.description = sent.description;
        });
        return { status: 202, body };
      },
    },
    {
      method: 'POST',
      path: '/authentication/flows/{alias}/executions/execution',
      ...change,
      summary: 'Add a step at the end of a flow, disabled',
      body: { type: 'object', properties: { provider: TEXT, priority: { type: ['integer', 'null'] } } },
      answers: { status: 201 },
      handle(call) {
        const { alias } = call.params;
        const { realm, admin, body, setEventDetails } = call;
        const { provider, ...sent } = body as { provider?: string | null } & SentPriority;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          const flow = parentFlow(flows, alias);
          const authenticator = checkStep(flow, provider);
          if (isMissing(authenticator)) setEventDetails({ ignored: [['provider']] });
          return created(call, add(flow, { authenticator, authenticatorFlow: false, ...placeOf(sent) }));
        });
      },
    },
    {
      method: 'POST',
      path: '/authentication/flows/{alias}/executions/flow',
      ...change,
      event: { resourceType: 'AUTH_EXECUTION_FLOW' },
      summary: 'Add a flow at the end of a flow, disabled and empty',
      body: {
        type: 'object',
        properties: {
          alias: TEXT,
          type: { enum: ['basic-flow', 'form-flow', null] },
          description: TEXT,
          provider: TEXT,
          priority: { type: ['integer', 'null'] },
        },
      },
      answers: { status: 201 },
      handle(call) {
        const { alias } = call.params;
        const { realm, admin, body } = call;
        const sent = body as { [Key in 'alias' | 'type' | 'description' | 'provider']?: string | null } & SentPriority;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          const parent = parentFlow(flows, alias);
          const form = sent.type === 'form-flow' ? (sent.provider ?? '') : undefined;
          if (form !== undefined && !FORMS.includes(form)) throw badRequest(`No form provider found for id: ${form}`);
          const name = freeAlias(flows, sent.alias, 'New flow alias name already exists');
          const flow = newFlow(name, sent.description, form === undefined ? parent.providerId : 'form-flow', false);
          const page = form === undefined ? {} : { authenticator: form };
          add(parent, { ...page, flowAlias: name, authenticatorFlow: true, ...placeOf(sent) });
          flows.push(flow);
          return created(call, flow.id);
        });
      },
    },
    {
      method: 'POST',
      path: '/authentication/executions',
      ...change,
      summary: 'Add an execution to the flow with the ID parentFlow',
      body: {
        type: 'object',
        properties: { ...EXECUTION_SCHEMA.properties, parentFlow: TEXT, authenticator: TEXT },
      },
      strict: EXECUTION_MEMBERS,
      answers: { status: 201 },
      handle(call) {
        const { realm, admin, body, setEventDetails } = call;
        const { parentFlow, authenticator, requirement, ...sent } = body as SentExecution;
        return editAuthentication(edits, { realm, admin }, ({ flows }) => {
          if (!flows.some(({ id }) => id === parentFlow)) throw badRequest("Parent flow doesn't exist");
          const flow = flowById(flows, parentFlow ?? undefined);
          const step = checkStep(flow, authenticator);
          if (isMissing(step)) setEventDetails({ ignored: [['authenticator']] });
          const id = requestedId(
            sent.id,
            flows.flatMap((one) => one.authenticationExecutions),
          );
          const more = { id, ...(requirement == null ? {} : { requirement }), ...placeOf(sent) };
          return created(call, add(flow, { authenticator: step, ...more }));
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
        const { flowAlias, authenticatorConfig, ...rest } = execution;
        const config = completeConfigs(realm.id, realm.representation).find(
          ({ alias }) => alias === authenticatorConfig,
        );
        return ok({
          ...rest,
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
      ...change,
      summary: 'Remove a step; a flow with everything in it',
      answers: { status: 204 },
      async handle({ realm, admin, params: { id } }) {
        await editAuthentication(edits, { realm, admin }, (draft) => {
          const { flow, execution } = executionById(draft.flows, id);
          if (flow.builtIn === true) throw badRequest('It is illegal to remove execution from a built in flow');
          flow.authenticationExecutions.splice(flow.authenticationExecutions.indexOf(execution), 1);
          dropConfigs(draft, [execution]);
          const inner = draft.flows.find(({ alias }) => alias === execution.flowAlias);
          if (inner !== undefined && inner.builtIn !== true) removeFlow(draft, inner);
        });
        return undefined;
      },
    },
    ...(['raise', 'lower'] as const).map(
      (direction): AdminOperation => ({
        method: 'POST',
        path: `/authentication/executions/{id}/${direction}-priority`,
        ...change,
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

interface SentPriority {
  readonly priority?: number | null;
}

/** An execution without a priority is added at the end. */
function placeOf({ priority }: SentPriority): { priority?: number } {
  return priority == null ? {} : { priority };
}

interface SentExecution extends SentPriority {
  readonly id?: string | null;
  readonly requirement?: string | null;
  readonly displayName?: string | null;
  readonly description?: string | null;
  readonly parentFlow?: string | null;
  readonly authenticator?: string | null;
}
