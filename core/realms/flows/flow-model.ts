import { hash } from 'node:crypto';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlow, configsWithBuiltIns } from './built-in-flows.js';
import { DEPTH_LIMIT, tooLargeAmong } from './flow-sizes.js';

export type Requirement = 'REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED';

/** One entry of a flow: a step, or a flow of its own. */
export interface Execution {
  /** Unique within the flow, the same in every start: its path of positions. */
  readonly id: string;
  readonly requirement: Requirement;
  /** The Authenticator provider; undefined for a sub-flow. */
  readonly authenticator?: string;
  /** Alias of a sub-flow that exists. */
  readonly flowAlias?: string;
  readonly config: Readonly<Record<string, string>>;
  /** The executions of a sub-flow, or the form actions of a form. */
  readonly executions: readonly Execution[];
}

/** The purpose of a flow. */
export type FlowBinding = keyof typeof BINDINGS;

/** The key of Keycloak's that binds one in the realm, and the flow that is bound without it. */
const BINDINGS = {
  browser: { key: 'browserFlow', standard: 'browser' },
  direct_grant: { key: 'directGrantFlow', standard: 'direct grant' },
  registration: { key: 'registrationFlow', standard: 'registration' },
  'reset-credentials': { key: 'resetCredentialsFlow', standard: 'reset credentials' },
} as const;

const FLOWS = Symbol('authentication flows');

/**
 * The flow for logins of the client's users: its own override, or else the realm's, or else Keycloak's default. It is
 * read from the realm's `authenticationFlows` and `authenticatorConfig`, or built in. If the flow does not exist, every
 * login fails.
 */
export function flowOf(realm: Realm, client: Client, binding: FlowBinding): readonly Execution[] {
  const { key, standard } = BINDINGS[binding];
  return flowNamed(realm, client.flowOverrides[binding] || String(realm.representation[key] ?? standard));
}

/** The flow with this ID or alias. If it does not exist, every login fails. */
export function flowNamed(realm: Realm, name: string): readonly Execution[] {
  const flows = realm.derive(FLOWS, () => new Map<string, readonly Execution[]>());
  let executions = flows.get(name);
  if (executions === undefined) {
    executions = readFlow(realm.representation, name);
    flows.set(name, executions);
  }
  return executions;
}

/** The flow for logins of clients without an own one. */
export function browserFlow({ representation }: Realm): readonly Execution[] {
  return readFlow(representation, representation.browserFlow ?? BINDINGS.browser.standard);
}

/** The executions of a flow and of all flows within it. */
export function allExecutions(executions: readonly Execution[]): readonly Execution[] {
  return executions.flatMap((execution) => [execution, ...allExecutions(execution.executions)]);
}

/**
 * The executions of the flow with this alias or ID. With a flow that is too large every login fails, as with a missing
 * one.
 */
export function readFlow(
  { authenticationFlows = [], authenticatorConfig }: RealmRepresentation,
  name: string,
): Execution[] {
  const configs = configsWithBuiltIns(authenticatorConfig);
  const own =
    authenticationFlows.find(({ id }) => id === name) ?? authenticationFlows.find(({ alias }) => alias === name);
  const flows = own === undefined ? (builtInFlow(name) ?? []) : authenticationFlows;
  const flow = own ?? flows[0];
  // The same place in two flows is not the same step.
  const prefix = `${hash('sha256', name, 'base64url').slice(0, 6)}.`;
  if (flow === undefined || tooLargeAmong(flows)(flow)) return [missing(`${prefix}0`, name)];
  return executionsOf(flow, prefix, 0);

  function executionsOf(
    { authenticationExecutions = [] }: FlowRepresentation,
    path: string,
    depth: number,
  ): Execution[] {
    return [...authenticationExecutions]
      .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
      .map((execution, index) => {
        const id = `${path}${index}`;
        const requirement = requirementOf(execution.requirement);
        const config = configs.find(({ alias }) => alias === execution.authenticatorConfig)?.config ?? {};
        const step = { id, requirement, config: Object.freeze({ ...config }), executions: [] };
        const { flowAlias, authenticator } = execution;
        const inner = flows.find(({ alias }) => alias === flowAlias);
        if (authenticator !== undefined) {
          const isForm = inner !== undefined && depth < DEPTH_LIMIT;
          return { ...step, authenticator, executions: isForm ? executionsOf(inner, `${id}.`, depth + 1) : [] };
        }
        if (flowAlias === undefined || inner === undefined || depth >= DEPTH_LIMIT) {
          return { ...missing(id, flowAlias), requirement };
        }
        return { ...step, flowAlias, executions: executionsOf(inner, `${id}.`, depth + 1) };
      });
  }
}

/** A missing flow is a step that always fails, so that it does not pass for an empty one. */
function missing(id: string, name: string | undefined): Execution {
  return { id, requirement: 'REQUIRED', authenticator: `missing flow ${name}`, config: {}, executions: [] };
}

/** An unknown requirement counts as REQUIRED: a misspelt word must not remove a step from the flow. */
function requirementOf(requirement: string | undefined): Requirement {
  return requirement === 'DISABLED' || requirement === 'ALTERNATIVE' || requirement === 'CONDITIONAL'
    ? requirement
    : 'REQUIRED';
}
