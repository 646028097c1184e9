import type { SchemaProblem } from '../../config/json/schema-check.js';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';

/** Flows within each other. */
export const DEPTH_LIMIT = 10;
/** Executions of a flow with those of all flows within it; Keycloak's have less than 50. */
const EXECUTION_LIMIT = 1000;

/**
 * Finds the flows that are too large to be read: a few flows that each contain the next one several times have millions
 * of executions. Counts them without visiting each.
 */
export function tooLargeAmong(flows: readonly FlowRepresentation[]): (flow: FlowRepresentation) => boolean {
  const named = new Map([...flows].reverse().map((flow) => [flow.alias, flow]));
  const sizes = new Map<FlowRepresentation, number[]>();
  const sizeOf = (flow: FlowRepresentation, depth: number): number => {
    const known = sizes.get(flow) ?? [];
    sizes.set(flow, known);
    let size = known[depth];
    if (size === undefined) {
      const executions = flow.authenticationExecutions ?? [];
      size = executions.length;
      for (const { flowAlias } of depth < DEPTH_LIMIT ? executions : []) {
        const inner = flowAlias === undefined ? undefined : named.get(flowAlias);
        if (inner !== undefined) size += sizeOf(inner, depth + 1);
      }
      known[depth] = size;
    }
    return size;
  };
  return (flow) => sizeOf(flow, 0) > EXECUTION_LIMIT;
}

/** Flows of a realm with which every login would fail, since they are too large. */
export function flowSizeMistakes({ authenticationFlows = [] }: RealmRepresentation): SchemaProblem[] {
  const isTooLarge = tooLargeAmong(authenticationFlows);
  return authenticationFlows.flatMap((flow, index) => {
    if (!isTooLarge(flow)) return [];
    const name = `the flow ${JSON.stringify(flow.alias)}`;
    const message = `${name} has more than ${EXECUTION_LIMIT} executions, including its subflows`;
    return [{ path: ['authenticationFlows', index], message }];
  });
}
