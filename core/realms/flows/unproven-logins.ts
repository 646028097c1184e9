import type { AuthenticatorDescription, Description } from '@keyhost/spi';
import type { SchemaProblem } from '../../config/json/schema-check.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { LEVEL_CONDITION } from './flow-levels.js';
import { allExecutions, type Execution, readFlow } from './flow-model.js';

/** A provider of the host, with its description. */
interface DescribedProvider {
  readonly spi: string;
  readonly id: string;
  readonly describe: Description | undefined;
}

/** The description of an authenticator; undefined if the host does not have it. */
type DescriptionOf = (authenticator: string) => Partial<AuthenticatorDescription> | undefined;

/** Realm members that bind the flows by which users sign in, with the flow of a realm that does not declare one. */
const LOGIN_BINDINGS = {
  browserFlow: 'browser',
  directGrantFlow: 'direct grant',
  registrationFlow: 'registration',
  resetCredentialsFlow: 'reset credentials',
} as const;
const FIRST_LOGIN_BINDING = { key: 'firstBrokerLoginFlow', standard: 'first broker login' } as const;

/** The step that never succeeds. */
const DENY_ACCESS = 'deny-access-authenticator';
/** The step that accepts a passkey as proof, but also a name without proof. */
const USERNAME_FORM = 'auth-username-form';
/** Steps that neither prove nor identify a user. */
const NON_IDENTIFYING_STEPS: readonly string[] = [
  'allow-access-authenticator',
  'idp-confirm-link',
  'idp-detect-existing-broker-user',
  'idp-review-profile',
];

/**
 * Finds flows of a realm that could sign in a user without proof. It checks those of the realm, of its clients, and of
 * first logins at identity providers. The running flow never signs a user in this way (`runFlow`); this check reports
 * it in advance.
 */
export function unprovenLogins(realm: RealmRepresentation, providers: readonly DescribedProvider[]): SchemaProblem[] {
  const authenticators = new Map(providers.filter(({ spi }) => spi === 'authenticator').map((one) => [one.id, one]));
  const descriptionOf: DescriptionOf = (id) => {
    const provider = authenticators.get(id);
    return provider && (provider.describe ?? {});
  };
  const problems: SchemaProblem[] = [];
  const resultByFlow = new Map<string, { readonly flow: readonly Execution[]; readonly end: Unproven | undefined }>();
  const resultOf = (name: string) => {
    let result = resultByFlow.get(name);
    if (result === undefined) {
      const flow = readFlow(realm, name);
      result = { flow, end: unprovenEnd(flow, descriptionOf, levelsProve(flow, descriptionOf)) };
      resultByFlow.set(name, result);
    }
    return result;
  };
  const checkFlow = (name: string, path: SchemaProblem['path'], isRefused: (end: Unproven) => boolean, of = '') => {
    const { flow, end } = resultOf(name);
    if (end === undefined || !isRefused(end)) return;
    const silentStepNames = [...new Set(silentSteps(flow, descriptionOf))].join(', ');
    const message =
      `with the flow ${JSON.stringify(name)}${of}, anyone can sign in as any user: a login can pass with steps that do ` +
      `not verify the user (${silentStepNames}); a plugin's step that verifies the user declares describe: { proves: true }`;
    problems.push({ path, message });
  };
  for (const [key, standard] of Object.entries(LOGIN_BINDINGS))
    checkFlow(String(realm[key] ?? standard), [key], () => true);
  for (const [index, { clientId, authenticationFlowBindingOverrides: overrides }] of (realm.clients ?? []).entries()) {
    for (const [binding, name] of Object.entries(overrides ?? {})) {
      const path = ['clients', index, 'authenticationFlowBindingOverrides', binding];
      if (name) checkFlow(name, path, () => true, ` of the client ${JSON.stringify(clientId)}`);
    }
  }
  // The identity provider proves its own account. The local user needs a proof as well, unless none is found.
  const finds = (end: Unproven) => end === 'somebody';
  const { key, standard } = FIRST_LOGIN_BINDING;
  checkFlow(String(realm[key] ?? standard), [key], finds);
  for (const [index, { alias, firstBrokerLoginFlowAlias: own }] of (realm.identityProviders ?? []).entries()) {
    const path = ['identityProviders', index, 'firstBrokerLoginFlowAlias'];
    if (own) checkFlow(own, path, finds, ` of the identity provider ${JSON.stringify(alias)}`);
  }
  return problems;
}

/** The user with whom a flow can end although nothing was proven: none, or any user. */
type Unproven = 'nobody' | 'somebody';

/**
 * Returns the worst possible end of a flow, by the rules of the running flow. Any condition may be met or not. The
 * entries behind a met one may be the only ones that run in addition to the REQUIRED ones, and each ALTERNATIVE may be
 * the one that succeeds.
 * @param doLevelsProve the result of `doLevelsProve` for the whole flow
 * @returns undefined if it always ends with a proven user
 */
function unprovenEnd(
  executions: readonly Execution[],
  descriptionOf: DescriptionOf,
  doLevelsProve: boolean,
): Unproven | undefined {
  const entries = executions.filter(
    ({ authenticator, requirement }) => requirement !== 'DISABLED' && !isCondition(authenticator, descriptionOf),
  );
  // A user who has not reached a level runs through it.
  if (doLevelsProve && entries.some((entry) => isLevel(entry, descriptionOf))) return undefined;
  const ends = (which: (requirement: Execution['requirement']) => boolean) =>
    entries.filter(({ requirement }) => which(requirement)).map((entry) => endOf(entry, descriptionOf, doLevelsProve));
  const requiredEnds = ends((requirement) => requirement === 'REQUIRED');
  if (requiredEnds.includes(undefined)) return undefined;
  const optionalEnds = ends((requirement) => requirement === 'CONDITIONAL' || requiredEnds.length === 0);
  return worstOf([...requiredEnds, ...optionalEnds]);
}

function endOf(
  { authenticator, executions }: Execution,
  descriptionOf: DescriptionOf,
  doLevelsProve = false,
): Unproven | undefined {
  if (authenticator === undefined) return unprovenEnd(executions, descriptionOf, doLevelsProve);
  const description = descriptionOf(authenticator);
  // A step that the host does not have never succeeds.
  if (description === undefined || authenticator === DENY_ACCESS) return undefined;
  if (description.proves === true && authenticator !== USERNAME_FORM) return undefined;
  return NON_IDENTIFYING_STEPS.includes(authenticator) ? 'nobody' : 'somebody';
}

/**
 * True if the first level of the flow proves the user, or there is none. A user who has reached no level runs through
 * the first one before all others, so the others may ask only for a second factor. The running flow refuses a user who
 * gets past it anyway.
 */
function levelsProve(flow: readonly Execution[], descriptionOf: DescriptionOf): boolean {
  const first = allExecutions(flow).find(
    ({ requirement, executions }) =>
      requirement === 'CONDITIONAL' && executions.some(({ authenticator }) => authenticator === LEVEL_CONDITION),
  );
  return first === undefined || endOf(first, descriptionOf) === undefined;
}

/** True if the flow is a level, which only users who have not reached it run through. */
function isLevel({ requirement, executions }: Execution, descriptionOf: DescriptionOf): boolean {
  const conditions = executions.filter(
    (one) => one.requirement !== 'DISABLED' && isCondition(one.authenticator, descriptionOf),
  );
  return (
    requirement === 'CONDITIONAL' &&
    conditions.length > 0 &&
    conditions.every(({ authenticator }) => authenticator === LEVEL_CONDITION)
  );
}

function worstOf(ends: readonly (Unproven | undefined)[]): Unproven | undefined {
  return ends.includes('somebody') ? 'somebody' : ends.find((end) => end !== undefined);
}

/**
 * Decides as the running flow does: an unknown authenticator is a condition if its name looks like one of Keycloak's.
 */
function isCondition(authenticator: string | undefined, descriptionOf: DescriptionOf): boolean {
  if (authenticator === undefined) return false;
  const description = descriptionOf(authenticator);
  return description === undefined ? authenticator.startsWith('conditional-') : description.category === 'condition';
}

/** Returns the steps of a flow that prove nothing, for the message. */
function silentSteps(executions: readonly Execution[], descriptionOf: DescriptionOf): string[] {
  return executions.flatMap((execution) => {
    const { authenticator, requirement } = execution;
    if (requirement === 'DISABLED' || isCondition(authenticator, descriptionOf)) return [];
    if (authenticator === undefined) return silentSteps(execution.executions, descriptionOf);
    return endOf(execution, descriptionOf) === undefined ? [] : [authenticator];
  });
}
