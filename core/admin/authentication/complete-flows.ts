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
import { badRequestError, notFoundError } from '../admin.js';

/** An execution (an entry of a flow) with all members that the Admin REST API needs. */
export interface Execution extends ExecutionRepresentation {
  id: string;
  requirement: string;
  priority: number;
}

/** A flow with an ID for itself and for each execution. Executions are sorted by priority. */
export interface Flow extends FlowRepresentation {
  id: string;
  authenticationExecutions: Execution[];
}

/** Returns copies of all flows of a realm with all members, including built-in flows. */
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
 * Returns the realm with the IDs by which the Admin REST API addresses flows and configurations. As in Keycloak,
 * executions get none.
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

/** Returns the flows to store: those that are already stored, and built-in ones that were changed. */
export function flowsToStore(
  realmId: string,
  before: RealmRepresentation,
  after: readonly Flow[],
): FlowRepresentation[] {
  const builtIn = completeFlows(realmId, { realm: before.realm });
  const storedAliases = new Set((before.authenticationFlows ?? []).map(({ alias }) => alias));
  const changedFlows = new Set(
    after.filter((flow) => {
      const pristine = builtIn.find(({ alias }) => alias === flow.alias);
      return storedAliases.has(flow.alias) || !isDeepStrictEqual(flow, pristine);
    }),
  );
  // A flow and its inner flows are stored together, since inner flows are looked up among the stored ones.
  for (let size = -1; size !== changedFlows.size; ) {
    size = changedFlows.size;
    for (const flow of after) {
      const inner = flow.authenticationExecutions.map(({ flowAlias }) =>
        after.find(({ alias }) => alias === flowAlias),
      );
      if (changedFlows.has(flow)) for (const innerFlow of inner) innerFlow && changedFlows.add(innerFlow);
      else if (inner.some((innerFlow) => innerFlow !== undefined && changedFlows.has(innerFlow)))
        changedFlows.add(flow);
    }
  }
  return after.filter((flow) => changedFlows.has(flow));
}

/** @throws AdminError 404 */
export function flowById(flows: readonly Flow[], id: string | undefined): Flow {
  const flow = flows.find((candidate) => candidate.id === id);
  if (flow === undefined) throw notFoundError('Could not find flow with id');
  return flow;
}

/** Finds the flow to which an execution is added. @throws AdminError 400 */
export function parentFlow(flows: readonly Flow[], alias: string | undefined): Flow {
  const flow = flows.find((candidate) => candidate.alias === alias);
  if (flow === undefined) throw badRequestError("Parent flow doesn't exist");
  return flow;
}

/** @throws AdminError 404 */
export function flowByAlias(flows: readonly Flow[], alias: string | undefined): Flow {
  const flow = flows.find((candidate) => candidate.alias === alias);
  if (flow === undefined) throw notFoundError('Flow not found');
  return flow;
}

/** Finds an execution, and the flow that contains it. @throws AdminError 404 */
export function executionById(flows: readonly Flow[], id: string | undefined): { flow: Flow; execution: Execution } {
  for (const flow of flows) {
    const execution = flow.authenticationExecutions.find((candidate) => candidate.id === id);
    if (execution !== undefined) return { flow, execution };
  }
  throw notFoundError('Illegal execution');
}

/** Returns the flow and all flows that it contains. */
export function withInnerFlows(flows: readonly Flow[], flow: Flow, collected = new Set<Flow>()): Set<Flow> {
  if (collected.has(flow)) return collected;
  collected.add(flow);
  for (const { flowAlias } of flow.authenticationExecutions) {
    const inner = flows.find(({ alias }) => alias === flowAlias);
    if (inner !== undefined) withInnerFlows(flows, inner, collected);
  }
  return collected;
}

export type AuthenticatorConfig = AuthenticatorConfigRepresentation & { id: string };

/** Returns copies of all configurations of a realm's steps, each with an ID, including built-in ones. */
export function completeConfigs(realmId: string, { authenticatorConfig }: RealmRepresentation): AuthenticatorConfig[] {
  return structuredClone(configsWithBuiltIns(authenticatorConfig)).map((config) => ({
    ...config,
    id: configId(realmId, config),
  }));
}

/** Returns the configurations to store: those that are already stored, and built-in ones that were changed. */
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
