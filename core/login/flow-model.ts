import type { Realm } from '../model/realm.js';

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

interface ExecutionRepresentation {
  readonly authenticator?: string;
  readonly flowAlias?: string;
  readonly requirement?: string;
  readonly priority?: number;
  readonly authenticatorConfig?: string;
}

interface FlowRepresentation {
  readonly alias?: string;
  readonly authenticationExecutions?: readonly ExecutionRepresentation[];
}

/** Keycloak's built-in browser flow, as far as its steps exist here. */
const BROWSER: readonly FlowRepresentation[] = [
  {
    alias: 'browser',
    authenticationExecutions: [
      { authenticator: 'auth-cookie', requirement: 'ALTERNATIVE', priority: 10 },
      { flowAlias: 'forms', requirement: 'ALTERNATIVE', priority: 30 },
    ],
  },
  {
    alias: 'forms',
    authenticationExecutions: [{ authenticator: 'auth-username-password-form', requirement: 'REQUIRED', priority: 10 }],
  },
];

const BROWSER_FLOW = Symbol('browser flow');
/** Flows within each other. */
const DEPTH_LIMIT = 10;

/** The realm's browser flow, from its `authenticationFlows` and `authenticatorConfig`; Keycloak's own without them. */
export function browserFlow(realm: Realm): readonly Execution[] {
  return realm.derive(BROWSER_FLOW, () => {
    const { representation } = realm;
    const alias = typeof representation.browserFlow === 'string' ? representation.browserFlow : 'browser';
    const own = (representation.authenticationFlows ?? []) as readonly FlowRepresentation[];
    const flows = own.some((flow) => flow.alias === alias) ? own : BROWSER;
    const configs = (representation.authenticatorConfig ?? []) as readonly {
      alias?: string;
      config?: Record<string, string>;
    }[];
    return executionsOf(flows === own ? alias : 'browser', '', 0);

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
