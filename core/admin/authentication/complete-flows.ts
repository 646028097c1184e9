import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../model/defined.js';
import { derivedId } from '../../model/derived-id.js';
import type {
  AuthenticatorConfigRepresentation,
  ExecutionRepresentation,
  FlowRepresentation,
  RealmRepresentation,
} from '../../model/representation.js';
import { configsWithBuiltIns, flowsWithBuiltIns } from '../../realms/flows/built-in-flows.js';
import { badRequestError, notFound } from '../admin.js';

/** An execution as the Admin REST API addresses it. */
export interface Execution extends ExecutionRepresentation {
  id: string;
  requirement: string;
  priority: number;
}

/** A flow in which the flow itself and each execution has an ID. Executions are ordered by priority. */
export interface Flow extends FlowRepresentation {
  id: string;
  authenticationExecutions: Execution[];
}

/** All flows of a realm, built-in ones included, with all members. Returns a copy. */
export function completeFlows(realmId: string, { authenticationFlows }: RealmRepresentation): Flow[] {
  return structuredClone(flowsWithBuiltIns(authenticationFlows)).map(({ authenticationExecutions = [], ...flow }) => ({
    ...flow,
    id: flowId(realmId, flow),
    authenticationExecutions: authenticationExecutions
      .map((execution, index) => ({
        ...execution,
        id: execution.id ?? derivedId(realmId, 'execution', flow.alias, String(index)),
        requirement: execution.requirement ?? 'REQUIRED',
        priority: execution.priority ?? 0,
      }))
      .sort((a, b) => a.priority - b.priority),
  }));
}

/**
 * A realm in which flows and configurations have the IDs of the Admin REST API. Executions get none, as in Keycloak.
 */
export function withFlowIds(realmId: string, realm: RealmRepresentation): RealmRepresentation {
  return {
    ...realm,
    ...defined({
      authenticationFlows: realm.authenticationFlows?.map((flow) => ({ ...flow, id: flowId(realmId, flow) })),
      authenticatorConfig: realm.authenticatorConfig?.map((config) => ({ ...config, id: configId(realmId, config) })),
    }),
  };
}

/** The ID of a flow in the Admin REST API. */
export function flowId(realmId: string, { id, alias }: Pick<FlowRepresentation, 'id' | 'alias'>): string {
  return id ?? derivedId(realmId, 'flow', alias);
}

function configId(realmId: string, { id, alias }: AuthenticatorConfigRepresentation): string {
  return id ?? derivedId(realmId, 'authenticator-config', alias);
}

/** The flows to store: the realm's own, and built-in ones that were changed. */
export function flowsToStore(
  realmId: string,
  before: RealmRepresentation,
  after: readonly Flow[],
): FlowRepresentation[] {
  const builtIn = completeFlows(realmId, { realm: before.realm });
  const own = new Set((before.authenticationFlows ?? []).map(({ alias }) => alias));
  const changed = new Set(
    after.filter((flow) => {
      const pristine = builtIn.find(({ alias }) => alias === flow.alias);
      return own.has(flow.alias) || !isDeepStrictEqual(flow, pristine);
    }),
  );
  // A flow and its inner flows must be stored together, since inner flows are resolved in the same list.
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const flow of after) {
      const inner = flow.authenticationExecutions.map(({ flowAlias }) =>
        after.find(({ alias }) => alias === flowAlias),
      );
      if (changed.has(flow)) for (const one of inner) one && changed.add(one);
      else if (inner.some((one) => one !== undefined && changed.has(one))) changed.add(flow);
    }
  }
  return after.filter((flow) => changed.has(flow));
}

/** @throws AdminError 404 */
export function flowById(flows: readonly Flow[], id: string | undefined): Flow {
  const flow = flows.find((one) => one.id === id);
  if (flow === undefined) throw notFound('Could not find flow with id');
  return flow;
}

/** The flow to which a step is added. @throws AdminError 400 */
export function parentFlow(flows: readonly Flow[], alias: string | undefined): Flow {
  const flow = flows.find((one) => one.alias === alias);
  if (flow === undefined) throw badRequestError("Parent flow doesn't exist");
  return flow;
}

/** @throws AdminError 404 */
export function flowByAlias(flows: readonly Flow[], alias: string | undefined): Flow {
  const flow = flows.find((one) => one.alias === alias);
  if (flow === undefined) throw notFound('Flow not found');
  return flow;
}

/** The execution, and the flow that contains it. @throws AdminError 404 */
export function executionById(flows: readonly Flow[], id: string | undefined): { flow: Flow; execution: Execution } {
  for (const flow of flows) {
    const execution = flow.authenticationExecutions.find((one) => one.id === id);
    if (execution !== undefined) return { flow, execution };
  }
  throw notFound('Illegal execution');
}

/** The flow and all flows within it. */
export function withInnerFlows(flows: readonly Flow[], flow: Flow, found = new Set<Flow>()): Set<Flow> {
  if (found.has(flow)) return found;
  found.add(flow);
  for (const { flowAlias } of flow.authenticationExecutions) {
    const inner = flows.find(({ alias }) => alias === flowAlias);
    if (inner !== undefined) withInnerFlows(flows, inner, found);
  }
  return found;
}

export type AuthenticatorConfig = AuthenticatorConfigRepresentation & { id: string };

/** The configurations of a realm's steps, built-in ones included, each with an ID. Returns a copy. */
export function completeConfigs(realmId: string, { authenticatorConfig }: RealmRepresentation): AuthenticatorConfig[] {
  return structuredClone(configsWithBuiltIns(authenticatorConfig)).map((config) => ({
    ...config,
    id: configId(realmId, config),
  }));
}

/** The configurations to store: the realm's own, and built-in ones that were changed. */
export function configsToStore(
  realmId: string,
  { realm, authenticatorConfig = [] }: RealmRepresentation,
  after: readonly AuthenticatorConfig[],
): AuthenticatorConfig[] {
  const builtIn = completeConfigs(realmId, { realm });
  return after.filter(
    (config) =>
      authenticatorConfig.some(({ alias }) => alias === config.alias) ||
      !builtIn.some((pristine) => isDeepStrictEqual(config, pristine)),
  );
}
