import type { Realm } from '../model/realm.js';
import type { FlowRepresentation } from '../model/representation.js';
import { builtInFlow } from '../realms/built-in-flows.js';

export type Requirement = 'REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED';

/** One entry of a flow: a step, or a flow of its own. */
export interface Execution {
  /** Unique within the flow, the same in every start: its path of positions. */
  readonly id: string;
  readonly requirement: Requirement;
  /** The Authenticator provider; undefined for a sub-flow. */
  readonly authenticator?: string;
  readonly config: Readonly<Record<string, string>>;
  readonly executions: readonly Execution[];
}

/** Keycloak's built-in browser flow. */
const BROWSER = 'browser';
const BROWSER_FLOW = Symbol('browser flow');
/** Flows within each other. */
const DEPTH_LIMIT = 10;

/** The realm's browser flow, from its `authenticationFlows` and `authenticatorConfig`; Keycloak's own without them. */
export function browserFlow(realm: Realm): readonly Execution[] {
  return realm.derive(BROWSER_FLOW, () => {
    const {
      browserFlow: alias = BROWSER,
      authenticationFlows: own = [],
      authenticatorConfig: configs = [],
    } = realm.representation;
    const isOwn = own.some((flow) => flow.alias === alias);
    const flows: readonly FlowRepresentation[] = isOwn ? own : (builtInFlow(BROWSER) ?? []);
    return executionsOf(isOwn ? alias : BROWSER, '', 0);

    function executionsOf(name: string, path: string, depth: number): Execution[] {
      const found = flows.find((flow) => flow.alias === name)?.authenticationExecutions ?? [];
      return [...found]
        .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
        .map((execution, index) => {
          const id = `${path}${index}`;
          const flow = execution.authenticator === undefined ? execution.flowAlias : undefined;
          const isThere = depth < DEPTH_LIMIT && flows.some(({ alias: known }) => known === flow);
          const config = configs.find((entry) => entry.alias === execution.authenticatorConfig)?.config ?? {};
          return {
            id,
            requirement: requirementOf(execution.requirement),
            config: Object.freeze({ ...config }),
            // A flow that is not there is a step that nobody can do: it must not pass for an empty one.
            ...(isThere ? {} : { authenticator: execution.authenticator ?? `missing flow ${flow}` }),
            executions: isThere && flow !== undefined ? executionsOf(flow, `${id}.`, depth + 1) : [],
          };
        });
    }
  });
}

/** What nobody knows is required: a misspelt word must not take a step out of the flow. */
function requirementOf(requirement: string | undefined): Requirement {
  return requirement === 'DISABLED' || requirement === 'ALTERNATIVE' || requirement === 'CONDITIONAL'
    ? requirement
    : 'REQUIRED';
}
