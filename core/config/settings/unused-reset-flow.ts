import type { ExecutionRepresentation, FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';

const BUILT_IN = 'reset credentials';
/** What Keyhost does for a user who forgot the password, in this order. */
const DONE = ['reset-credentials-choose-user', 'reset-credential-email', 'reset-password'];
/** Users keep their authenticator apps here, so that this part of Keycloak's flow has nothing to do. */
const OF_APPS = ['conditional-user-configured', 'reset-otp'];

/** A step of the flow that is not disabled. */
interface Step {
  readonly authenticator: string;
  readonly requirement: string;
  /** It is in a flow that only some users go through. */
  readonly isConditional: boolean;
}

/**
 * The flow for forgotten passwords of a realm, where it is other than what Keyhost does: users are mailed a link, and set a
 * new password.
 */
export interface UnusedResetFlow extends SchemaProblem {
  /** It has a step that protects accounts, as far as Keyhost can tell. */
  readonly promises: boolean;
}

/** @returns undefined where the realm's flow does what Keyhost does, or does not run */
export function unusedResetFlow(realm: RealmRepresentation): UnusedResetFlow | undefined {
  const { authenticationFlows: flows = [], resetCredentialsFlow: alias = BUILT_IN } = realm;
  if (realm.resetPasswordAllowed !== true || !Array.isArray(flows)) return undefined;
  const index = flows.findIndex((flow) => flow.alias === alias);
  const flow = flows[index];
  // What is not there is told by the checks of names.
  if (flow === undefined) return undefined;
  const steps = stepsOf(flow, flows, false);
  const always = steps.filter(({ isConditional }) => !isConditional).map(({ authenticator }) => authenticator);
  const isDone =
    always.join() === DONE.join() &&
    steps.every(({ requirement }) => requirement === 'REQUIRED') &&
    steps.every(({ authenticator, isConditional }) => !isConditional || OF_APPS.includes(authenticator));
  if (isDone) return undefined;
  const path =
    realm.resetCredentialsFlow === undefined ? ['authenticationFlows', index, 'alias'] : ['resetCredentialsFlow'];
  const known = [...DONE, ...OF_APPS];
  const promises =
    !always.includes('reset-credential-email') ||
    steps.some(({ authenticator, requirement }) => !known.includes(authenticator) && requirement !== 'ALTERNATIVE');
  const told = promises ? 'is not supported, but the realm relies on it' : 'has no effect on the realm';
  const message = `${told}: users who forgot the password get a link by email and set a new one, whatever the flow "${alias}" says`;
  return { path, message, promises };
}

const DEPTH_LIMIT = 10;

function stepsOf(
  { authenticationExecutions = [] }: FlowRepresentation,
  flows: readonly FlowRepresentation[],
  isConditional: boolean,
  depth = 0,
): Step[] {
  return [...authenticationExecutions]
    .sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0))
    .flatMap(({ authenticator, flowAlias, requirement = 'REQUIRED' }: ExecutionRepresentation): Step[] => {
      if (requirement === 'DISABLED') return [];
      if (authenticator !== undefined) return [{ authenticator, requirement, isConditional }];
      const inner = flows.find(({ alias }) => alias === flowAlias);
      if (inner === undefined || depth >= DEPTH_LIMIT) {
        return [{ authenticator: `flow ${flowAlias}`, requirement: 'REQUIRED', isConditional }];
      }
      return stepsOf(inner, flows, isConditional || requirement === 'CONDITIONAL', depth + 1);
    });
}
