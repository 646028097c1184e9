import type { AuthenticatorDescription, Description } from '@keyhost/spi';
import type { SchemaProblem } from '../../config/json/schema-check.js';
import { OIDC_PROVIDERS } from '../../model/identity-provider.js';
import type { ExecutionRepresentation, FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlow, flowsWithBuiltIns } from './built-in-flows.js';
import { LEVEL_CONDITION } from './flow-levels.js';
import { MAX_DEPTH, sizeCheckFor } from './flow-sizes.js';
import { missingSteps } from './registration-steps.js';

/** Realm members that bind a flow to a purpose, with the flow of a realm that does not declare one. */
export const FLOW_BINDINGS = {
  browserFlow: 'browser',
  registrationFlow: 'registration',
  directGrantFlow: 'direct grant',
  resetCredentialsFlow: 'reset credentials',
  clientAuthenticationFlow: 'clients',
  dockerAuthenticationFlow: 'docker auth',
  firstBrokerLoginFlow: 'first broker login',
} as const;

/** Flows by which users sign in: a mistake in one of them locks all users out. */
const LOGINS = ['browserFlow', 'directGrantFlow'] as const;
/** The names of these bindings in a client's overrides. */
const OVERRIDES = { browser: 'browserFlow', direct_grant: 'directGrantFlow' } as const;
/** The step that recognises a browser with a session. A user without a session cannot pass it. */
const COOKIE = 'auth-cookie';
/** The step that redirects to identity providers, if there are any. */
const REDIRECTOR = 'identity-provider-redirector';

/** The category of an authenticator, step or condition; undefined if the host does not have it. */
type CategoryOf = (authenticator: string) => NonNullable<AuthenticatorDescription['category']> | undefined;

/** The parts of this host that flows can name. */
export interface FlowProviders {
  readonly categoryOf: CategoryOf;
  /** True if the host has a form action with this ID. */
  readonly hasFormAction: (id: string) => boolean;
}

/** @param providers the providers of this host, with their descriptions */
export function flowProviders(
  providers: readonly { readonly spi: string; readonly id: string; readonly describe: Description | undefined }[],
): FlowProviders {
  const categories = new Map(
    providers.flatMap(({ spi, id, describe = {} }) => {
      if (spi !== 'authenticator') return [];
      const { category = 'step' } = describe as Partial<AuthenticatorDescription>;
      return [[id, category] as const];
    }),
  );
  const formActions = new Set(providers.filter(({ spi }) => spi === 'form-action').map(({ id }) => id));
  return { categoryOf: (id) => categories.get(id), hasFormAction: (id) => formActions.has(id) };
}

/** Problems that an edit of flows must not cause: a binding to a missing flow. */
export function flowProblems(realm: RealmRepresentation): SchemaProblem[] {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  return Object.entries(FLOW_BINDINGS).flatMap(([key, builtIn]) => {
    // The checks of every realm already cover the flows for logins.
    if ((LOGINS as readonly string[]).includes(key)) return [];
    const alias = realm[key] ?? builtIn;
    const exists = flows.some((flow) => flow.alias === alias);
    return exists ? [] : [{ path: [key], message: `flow ${JSON.stringify(alias)} not found` }];
  });
}

/**
 * Finds flows that the realm uses and that no user can complete, and CONDITIONAL flows that never run. They are
 * reported and not refused, as in Keycloak: an admin may bind a flow first and fill it afterwards.
 */
export function impassableFlows(
  realm: RealmRepresentation,
  { categoryOf, hasFormAction }: FlowProviders,
): SchemaProblem[] {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  const hasIdentityProviders = (realm.identityProviders ?? []).some(
    ({ providerId = '', enabled }) => enabled !== false && OIDC_PROVIDERS.includes(providerId),
  );
  // A redirector without identity providers is no way to sign in.
  const loginCategoryOf: CategoryOf = (id) => (id === REDIRECTOR && !hasIdentityProviders ? undefined : categoryOf(id));
  const problems: SchemaProblem[] = [];
  const isTooLarge = sizeCheckFor(flows);
  // A flow that this host does not run cannot lock users out.
  const runningBindings = LOGINS.filter((key) =>
    canPass(FLOW_BINDINGS[key], builtInFlow(FLOW_BINDINGS[key]) ?? [], loginCategoryOf),
  );
  const passableByFlow = new Map<string, boolean>();
  const checkFlow = (key: (typeof LOGINS)[number], name: string, path: SchemaProblem['path'], of = '') => {
    const flow = flows.find(({ id }) => id === name) ?? flows.find(({ alias }) => alias === name);
    // The checks of every realm report flows that are too large or missing.
    if (!runningBindings.includes(key) || flow === undefined || isTooLarge(flow)) return;
    const { alias } = flow;
    const passes = passableByFlow.get(alias) ?? canPass(alias, flows, loginCategoryOf);
    passableByFlow.set(alias, passes);
    if (passes) return;
    const message = `no user can sign in with the flow ${JSON.stringify(alias)}${of}: a required step is missing`;
    problems.push({ path, message });
  };
  for (const key of LOGINS) checkFlow(key, String(realm[key] ?? FLOW_BINDINGS[key]), [key]);
  for (const [index, { clientId, authenticationFlowBindingOverrides: own }] of (realm.clients ?? []).entries()) {
    for (const [binding, key] of Object.entries(OVERRIDES)) {
      const name = own?.[binding];
      const path = ['clients', index, 'authenticationFlowBindingOverrides', binding];
      if (name) checkFlow(key, name, path, ` of the client ${JSON.stringify(clientId)}`);
    }
  }
  const [missing] = realm.registrationAllowed === true ? missingSteps(realm, hasFormAction) : [];
  if (missing !== undefined) {
    const message = `no user can register with this flow: its step ${JSON.stringify(missing)} is missing`;
    problems.push({ path: ['registrationFlow'], message });
  }
  problems.push(...flowsWithoutConditions(realm, categoryOf));
  return problems;
}

/** True if a user who has everything that the flow asks for completes it, by the rules of the running flow. */
function canPass(alias: string, flows: readonly FlowRepresentation[], categoryOf: CategoryOf, depth = 0): boolean {
  const executions = flows.find((flow) => flow.alias === alias)?.authenticationExecutions ?? [];
  const steps = executions.filter(
    (one) => !isCondition(one.authenticator, categoryOf) && one.requirement !== 'DISABLED',
  );
  const isPassable = ({ authenticator, flowAlias, requirement }: ExecutionRepresentation): boolean =>
    authenticator === undefined
      ? flowAlias !== undefined &&
        depth < MAX_DEPTH &&
        !(requirement === 'CONDITIONAL' && isUndecidable(flowAlias, flows, categoryOf)) &&
        canPass(flowAlias, flows, categoryOf, depth + 1)
      : authenticator !== COOKIE &&
        authenticator !== 'deny-access-authenticator' &&
        categoryOf(authenticator) === 'step';
  const requiredSteps = steps.filter(
    ({ requirement, flowAlias }) =>
      requirement !== 'ALTERNATIVE' && !(requirement === 'CONDITIONAL' && canBeSkipped(flowAlias, flows, categoryOf)),
  );
  if (requiredSteps.length > 0) return requiredSteps.every(isPassable);
  return steps.filter(({ requirement }) => requirement === 'ALTERNATIVE').some(isPassable);
}

/**
 * True if some users skip the CONDITIONAL flow, because it has no condition, or one that only some users meet. A flow
 * whose conditions are all levels is not skipped, because an unauthenticated user runs through every level.
 */
function canBeSkipped(
  alias: string | undefined,
  flows: readonly FlowRepresentation[],
  categoryOf: CategoryOf,
): boolean {
  if (alias !== undefined && isUndecidable(alias, flows, categoryOf)) return false;
  if (!flows.some((flow) => flow.alias === alias)) return false;
  const conditions = enabledConditions(alias, flows, categoryOf);
  return conditions.length === 0 || conditions.some(({ authenticator }) => authenticator !== LEVEL_CONDITION);
}

function enabledConditions(
  alias: string | undefined,
  flows: readonly FlowRepresentation[],
  categoryOf: CategoryOf,
): ExecutionRepresentation[] {
  const executions = flows.find((flow) => flow.alias === alias)?.authenticationExecutions ?? [];
  return executions.filter(
    ({ authenticator, requirement }) => requirement !== 'DISABLED' && isCondition(authenticator, categoryOf),
  );
}

/** Finds CONDITIONAL flows that no login ever runs, because they have no enabled condition. */
function flowsWithoutConditions(realm: RealmRepresentation, categoryOf: CategoryOf): SchemaProblem[] {
  const own = realm.authenticationFlows ?? [];
  const flows = flowsWithBuiltIns(own);
  return own.flatMap(({ authenticationExecutions = [] }, flowIndex) =>
    authenticationExecutions.flatMap(({ flowAlias, requirement }, index) => {
      if (requirement !== 'CONDITIONAL' || !flows.some(({ alias }) => alias === flowAlias)) return [];
      if (enabledConditions(flowAlias, flows, categoryOf).length > 0) return [];
      const path = ['authenticationFlows', flowIndex, 'authenticationExecutions', index, 'requirement'];
      return [
        { path, message: `the flow ${JSON.stringify(flowAlias)} is CONDITIONAL and never runs: it has no condition` },
      ];
    }),
  );
}

/** True if it depends on a condition that this host does not have: the running flow then fails. */
function isUndecidable(alias: string, flows: readonly FlowRepresentation[], categoryOf: CategoryOf): boolean {
  return enabledConditions(alias, flows, categoryOf).some(
    ({ authenticator = '' }) => categoryOf(authenticator) === undefined,
  );
}

/**
 * Decides as the running flow does: an unknown authenticator is a condition if its name looks like one of Keycloak's.
 */
function isCondition(authenticator: string | undefined, categoryOf: CategoryOf): boolean {
  if (authenticator === undefined) return false;
  return (
    (categoryOf(authenticator) ?? (authenticator.startsWith('conditional-') ? 'condition' : 'step')) === 'condition'
  );
}
