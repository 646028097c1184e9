import { hash } from 'node:crypto';
import type { Client } from '../../model/client.js';
import type { Realm } from '../../model/realm.js';
import type { FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlow, configsWithBuiltIns } from './built-in-flows.js';
import { MAX_DEPTH, sizeCheckFor } from './flow-sizes.js';

export type Requirement = 'REQUIRED' | 'ALTERNATIVE' | 'CONDITIONAL' | 'DISABLED';

/** One entry of a flow: a step or a sub-flow. */
export interface Execution {
  /** Unique within the flow, and the same after each start: the path of positions. */
  readonly id: string;
  readonly requirement: Requirement;
  /** The Authenticator provider; undefined for a sub-flow. */
  readonly authenticator?: string;
  /** The alias of an existing sub-flow. */
  readonly flowAlias?: string;
  readonly config: Readonly<Record<string, string>>;
  /** The executions of a sub-flow, or the form actions of a form. */
  readonly executions: readonly Execution[];
}

/** The purpose of a flow. */
export type FlowBinding = keyof typeof REALM_BINDINGS;

/** Keycloak's member of the realm that binds a flow, and the flow that is bound without it. */
const REALM_BINDINGS = {
  browser: { key: 'browserFlow', standard: 'browser' },
  direct_grant: { key: 'directGrantFlow', standard: 'direct grant' },
  registration: { key: 'registrationFlow', standard: 'registration' },
  'reset-credentials': { key: 'resetCredentialsFlow', standard: 'reset credentials' },
} as const;

const READ_FLOWS = Symbol('authentication flows');

/**
 * Returns the flow for logins of the client's users: the client's override, or else the realm's, or else Keycloak's
 * default. If the flow does not exist, every login fails.
 */
export function flowOf(realm: Realm, client: Client, binding: FlowBinding): readonly Execution[] {
  const { key, standard } = REALM_BINDINGS[binding];
  return flowNamed(realm, client.flowOverrides[binding] || String(realm.representation[key] ?? standard));
}

/** Returns the flow with this ID or alias. If it does not exist, every login fails. */
export function flowNamed(realm: Realm, name: string): readonly Execution[] {
  const flows = realm.derive(READ_FLOWS, () => new Map<string, readonly Execution[]>());
  let executions = flows.get(name);
  if (executions === undefined) {
    executions = readFlow(realm.representation, name);
    flows.set(name, executions);
  }
  return executions;
}

/** Returns the flow for logins of clients without an override. */
export function browserFlow({ representation }: Realm): readonly Execution[] {
  return readFlow(representation, representation.browserFlow ?? REALM_BINDINGS.browser.standard);
}

/** Returns the executions of a flow and of all flows in it. */
export function allExecutions(executions: readonly Execution[]): readonly Execution[] {
  return executions.flatMap((execution) => [execution, ...allExecutions(execution.executions)]);
}

/** Reads the flow with this alias or ID. If it is missing or too large, every login fails. */
export function readFlow(
  { authenticationFlows = [], authenticatorConfig }: RealmRepresentation,
  name: string,
): Execution[] {
  const configs = configsWithBuiltIns(authenticatorConfig);
  const own =
    authenticationFlows.find(({ id }) => id === name) ?? authenticationFlows.find(({ alias }) => alias === name);
  const flows = own === undefined ? (builtInFlow(name) ?? []) : authenticationFlows;
  const flow = own ?? flows[0];
  // Steps at the same position of different flows need different IDs.
  const prefix = `${hash('sha256', name, 'base64url').slice(0, 6)}.`;
  if (flow === undefined || sizeCheckFor(flows)(flow)) return [executionOfMissingFlow(`${prefix}0`, name)];
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
        const subFlow = flows.find(({ alias }) => alias === flowAlias);
        if (authenticator !== undefined) {
          const isForm = subFlow !== undefined && depth < MAX_DEPTH;
          return { ...step, authenticator, executions: isForm ? executionsOf(subFlow, `${id}.`, depth + 1) : [] };
        }
        if (flowAlias === undefined || subFlow === undefined || depth >= MAX_DEPTH) {
          return { ...executionOfMissingFlow(id, flowAlias), requirement };
        }
        return { ...step, flowAlias, executions: executionsOf(subFlow, `${id}.`, depth + 1) };
      });
  }
}

/** Represents a missing flow by a step that always fails, so that it is not taken for an empty flow. */
function executionOfMissingFlow(id: string, name: string | undefined): Execution {
  return { id, requirement: 'REQUIRED', authenticator: `missing flow ${name}`, config: {}, executions: [] };
}

/** Returns REQUIRED for an unknown requirement: a misspelt word must not remove a step from the flow. */
function requirementOf(requirement: string | undefined): Requirement {
  return requirement === 'DISABLED' || requirement === 'ALTERNATIVE' || requirement === 'CONDITIONAL'
    ? requirement
    : 'REQUIRED';
}
