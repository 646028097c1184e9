import type { AuthenticatorDescription, Description } from '@keyhost/spi';
import type { SchemaProblem } from '../../config/json/schema-check.js';
import { OIDC_PROVIDERS } from '../../model/identity-provider.js';
import type { ExecutionRepresentation, FlowRepresentation, RealmRepresentation } from '../../model/representation.js';
import { builtInFlow, flowsWithBuiltIns } from './built-in-flows.js';
import { LEVEL_CONDITION } from './flow-levels.js';
import { DEPTH_LIMIT, tooLargeAmong } from './flow-sizes.js';
import { missingSteps } from './registration-steps.js';

/** The realm keys that say which flow is used for what, with the flow of a realm that is silent. */
export const FLOW_BINDINGS = {
  browserFlow: 'browser',
  registrationFlow: 'registration',
  directGrantFlow: 'direct grant',
  resetCredentialsFlow: 'reset credentials',
  clientAuthenticationFlow: 'clients',
  dockerAuthenticationFlow: 'docker auth',
  firstBrokerLoginFlow: 'first broker login',
} as const;

/** Flows by which users log in: a mistake in one keeps everybody out. */
const LOGINS = ['browserFlow', 'directGrantFlow'] as const;
/** What a client calls them where it has one of its own. */
const OVERRIDES = { browser: 'browserFlow', direct_grant: 'directGrantFlow' } as const;
/** It knows a browser again; nobody begins by it. */
const COOKIE = 'auth-cookie';
/** It leads to identity providers, where there are any. */
const REDIRECTOR = 'identity-provider-redirector';

/** What a host says of an authenticator: a step or a condition; undefined when it has none of that id. */
type CategoryOf = (authenticator: string) => NonNullable<AuthenticatorDescription['category']> | undefined;

/** What this host has that flows can name. */
export interface FlowProviders {
  readonly categoryOf: CategoryOf;
  /** Whether it has a form action of the id. */
  readonly hasFormAction: (id: string) => boolean;
}

/** @param providers of this host, with what each says of itself */
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

/** What an edit of flows must not bring about: a binding to a flow that is not there. */
export function flowProblems(realm: RealmRepresentation): SchemaProblem[] {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  return Object.entries(FLOW_BINDINGS).flatMap(([key, builtIn]) => {
    // The checks of every realm look at these already.
    if ((LOGINS as readonly string[]).includes(key)) return [];
    const alias = realm[key] ?? builtIn;
    const isThere = flows.some((flow) => flow.alias === alias);
    return isThere ? [] : [{ path: [key], message: `flow ${JSON.stringify(alias)} not found` }];
  });
}

/**
 * Flows that the realm uses and that nobody can pass. They let nobody in, so that they are told and not refused, as in
 * Keycloak: who configures a realm may bind a flow first and fill it then.
 */
export function impassableFlows(
  realm: RealmRepresentation,
  { categoryOf, hasFormAction }: FlowProviders,
): SchemaProblem[] {
  const flows = flowsWithBuiltIns(realm.authenticationFlows);
  const leads = (realm.identityProviders ?? []).some(
    ({ providerId = '', enabled }) => enabled !== false && OIDC_PROVIDERS.includes(providerId),
  );
  // A redirector that leads nowhere is none that anybody could log in by.
  const ofLogin: CategoryOf = (id) => (id === REDIRECTOR && !leads ? undefined : categoryOf(id));
  const problems: SchemaProblem[] = [];
  const isTooLarge = tooLargeAmong(flows);
  // A flow that this host does not run cannot keep anybody out.
  const runs = LOGINS.filter((key) => canPass(FLOW_BINDINGS[key], builtInFlow(FLOW_BINDINGS[key]) ?? [], ofLogin));
  const passable = new Map<string, boolean>();
  const judge = (key: (typeof LOGINS)[number], name: string, path: SchemaProblem['path'], of = '') => {
    const flow = flows.find(({ id }) => id === name) ?? flows.find(({ alias }) => alias === name);
    // The checks of every realm tell of one that is too large, or not there.
    if (!runs.includes(key) || flow === undefined || isTooLarge(flow)) return;
    const { alias } = flow;
    const passes = passable.get(alias) ?? canPass(alias, flows, ofLogin);
    passable.set(alias, passes);
    if (passes) return;
    const message = `no user can sign in with the flow ${JSON.stringify(alias)}${of}: a required step is missing`;
    problems.push({ path, message });
  };
  for (const key of LOGINS) judge(key, String(realm[key] ?? FLOW_BINDINGS[key]), [key]);
  for (const [index, { clientId, authenticationFlowBindingOverrides: own }] of (realm.clients ?? []).entries()) {
    for (const [binding, key] of Object.entries(OVERRIDES)) {
      const name = own?.[binding];
      const path = ['clients', index, 'authenticationFlowBindingOverrides', binding];
      if (name) judge(key, name, path, ` of the client ${JSON.stringify(clientId)}`);
    }
  }
  const [missing] = realm.registrationAllowed === true ? missingSteps(realm, hasFormAction) : [];
  if (missing !== undefined) {
    const message = `no user can register with this flow: its step ${JSON.stringify(missing)} is missing`;
    problems.push({ path: ['registrationFlow'], message });
  }
  return problems;
}

/** True when somebody who has all that is asked for gets through, by the rules of the running flow. */
function canPass(alias: string, flows: readonly FlowRepresentation[], categoryOf: CategoryOf, depth = 0): boolean {
  const executions = flows.find((flow) => flow.alias === alias)?.authenticationExecutions ?? [];
  const steps = executions.filter(
    (one) => !isCondition(one.authenticator, categoryOf) && one.requirement !== 'DISABLED',
  );
  const passable = ({ authenticator, flowAlias, requirement }: ExecutionRepresentation): boolean =>
    authenticator === undefined
      ? flowAlias !== undefined &&
        depth < DEPTH_LIMIT &&
        !(requirement === 'CONDITIONAL' && isUndecidable(flowAlias, flows, categoryOf)) &&
        canPass(flowAlias, flows, categoryOf, depth + 1)
      : authenticator !== COOKIE &&
        authenticator !== 'deny-access-authenticator' &&
        categoryOf(authenticator) === 'step';
  const needed = steps.filter(
    ({ requirement, flowAlias }) =>
      requirement !== 'ALTERNATIVE' && !(requirement === 'CONDITIONAL' && dependsOnUser(flowAlias, flows, categoryOf)),
  );
  if (needed.length > 0) return needed.every(passable);
  return steps.filter(({ requirement }) => requirement === 'ALTERNATIVE').some(passable);
}

/** It is asked of some alone, such as those who have set it up. Whoever shows nothing yet goes through every level. */
function dependsOnUser(
  alias: string | undefined,
  flows: readonly FlowRepresentation[],
  categoryOf: CategoryOf,
): boolean {
  const executions = flows.find((flow) => flow.alias === alias)?.authenticationExecutions ?? [];
  if (alias !== undefined && isUndecidable(alias, flows, categoryOf)) return false;
  return executions.some(({ authenticator = '', requirement }) => {
    const isKnown = categoryOf(authenticator) === 'condition' && authenticator !== LEVEL_CONDITION;
    return isKnown && requirement !== 'DISABLED';
  });
}

/** A condition that this host does not have decides about it: the running flow lets nobody past. */
function isUndecidable(alias: string, flows: readonly FlowRepresentation[], categoryOf: CategoryOf): boolean {
  const executions = flows.find((flow) => flow.alias === alias)?.authenticationExecutions ?? [];
  return executions.some(
    ({ authenticator = '', requirement }) =>
      requirement !== 'DISABLED' && isCondition(authenticator, categoryOf) && categoryOf(authenticator) === undefined,
  );
}

/** As the running flow tells: what this host does not have is called as Keycloak calls its own. */
function isCondition(authenticator: string | undefined, categoryOf: CategoryOf): boolean {
  if (authenticator === undefined) return false;
  return (
    (categoryOf(authenticator) ?? (authenticator.startsWith('conditional-') ? 'condition' : 'step')) === 'condition'
  );
}
