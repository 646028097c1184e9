import type { SchemaProblem } from '../../config/json/schema-check.js';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';

/** The maximum depth of flows in flows. */
export const MAX_DEPTH = 10;
/** The maximum number of executions of a flow and all flows in it. Keycloak's flows have less than 50. */
const MAX_EXECUTIONS = 1000;

/**
 * Returns a check for flows that are too large to be read. A few flows that each contain the next one several times
 * have millions of executions, so it counts them without visiting each.
 */
export function sizeCheckFor(flows: readonly FlowRepresentation[]): (flow: FlowRepresentation) => boolean {
  const byAlias = new Map([...flows].reverse().map((flow) => [flow.alias, flow]));
  const sizes = new Map<FlowRepresentation, number[]>();
  const sizeOf = (flow: FlowRepresentation, depth: number): number => {
    const sizesByDepth = sizes.get(flow) ?? [];
    sizes.set(flow, sizesByDepth);
    let size = sizesByDepth[depth];
    if (size === undefined) {
      const executions = flow.authenticationExecutions ?? [];
      size = executions.length;
      for (const { flowAlias } of depth < MAX_DEPTH ? executions : []) {
        const subFlow = flowAlias === undefined ? undefined : byAlias.get(flowAlias);
        if (subFlow !== undefined) size += sizeOf(subFlow, depth + 1);
      }
      sizesByDepth[depth] = size;
    }
    return size;
  };
  return (flow) => sizeOf(flow, 0) > MAX_EXECUTIONS;
}

/** Finds flows of a realm that are too large: every login with one would fail. */
export function flowSizeMistakes({ authenticationFlows = [] }: RealmRepresentation): SchemaProblem[] {
  const isTooLarge = sizeCheckFor(authenticationFlows);
  return authenticationFlows.flatMap((flow, index) => {
    if (!isTooLarge(flow)) return [];
    const name = `the flow ${JSON.stringify(flow.alias)}`;
    const message = `${name} has more than ${MAX_EXECUTIONS} executions, including its subflows`;
    return [{ path: ['authenticationFlows', index], message }];
  });
}
