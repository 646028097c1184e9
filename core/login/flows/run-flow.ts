import {
  type AuthenticationContext,
  type AuthenticationStep,
  type AuthenticatorProvider,
  HostError,
} from '@keyhost/spi';
import type { Execution } from '../../realms/flows/flow-model.js';
import { stepReference } from '../../tokens/method-references.js';
import { evaluateConditions, markConditionalDone } from './conditional-flows.js';
import { isStepConfigured } from './configured-steps.js';
import {
  authenticatorOf,
  callStepMethod,
  createStep,
  type EnabledAuthenticator,
  isCondition,
} from './flow-authenticators.js';
import type { FlowResult, FlowRun } from './flow-run.js';
import { consumeState, isProven, removeStepLinks, storeState } from './flow-state.js';
import { fileProblem, type HostChallenge, type StepFiles, stepFiles } from './step-files.js';
import { hasVerifiedPassword, typedPasswordFor } from './typed-password.js';

/**
 * Runs a whole flow. It succeeds only for a user whose identity is proven, regardless of its entries. Proofs are an
 * authenticator that declares `describe.proves`, the user session whose level the login raises, an identity provider,
 * and a mailed link.
 */
export async function runFlow(run: FlowRun, executions: readonly Execution[]): Promise<FlowResult> {
  const result = await runEntries(run, executions);
  if (result.outcome !== 'success' || isProven(run.state)) return result;
  if (run.state.userId === undefined) return { outcome: 'attempted' };
  const steps = [...run.state.done].filter(([, outcome]) => outcome === 'success');
  run.session.logger.error(
    "a login passed its flow, but no step verified the user: a plugin's step that verifies the user declares describe: { proves: true }",
    {
      realm: run.session.compiledRealm.name,
      steps: steps.map(([id]) => findExecution(executions, id)?.authenticator ?? id),
    },
  );
  return { outcome: 'unproven' };
}

/**
 * Runs the entries of a flow by Keycloak's rules (DefaultAuthenticationFlow). If a REQUIRED entry or a CONDITIONAL
 * entry whose conditions are met exists, all such entries must succeed in order, and alternatives are ignored.
 * Otherwise the first ALTERNATIVE to succeed is enough. Entries that are done are not run again.
 */
async function runEntries(run: FlowRun, executions: readonly Execution[]): Promise<FlowResult> {
  let hasRequired = false;
  for (const execution of executions) {
    if (isCondition(run.session, execution)) continue;
    // Conditions are for sub-flows: a CONDITIONAL step counts as REQUIRED.
    const isConditional = execution.requirement === 'CONDITIONAL' && execution.authenticator === undefined;
    // Evaluate conditions only when their flow is reached, because earlier steps may have found the user. A flow that
    // has succeeded is not evaluated again.
    const isDone = isConditional && run.state.done.get(execution.id) === 'success';
    const applies = isConditional
      ? isDone || (await evaluateConditions(run, execution))
      : execution.requirement === 'REQUIRED' || execution.requirement === 'CONDITIONAL';
    if (applies === 'unknown') return { outcome: 'attempted' };
    if (!applies) continue;
    hasRequired = true;
    if (isDone) continue;
    const result = await runExecution(run, execution);
    if (result.outcome !== 'success') return result;
    if (isConditional) markConditionalDone(run, execution);
  }
  if (hasRequired) return { outcome: 'success' };
  for (const execution of alternativesOf(run, executions)) {
    if (await isNotConfiguredForUser(run, execution)) continue;
    const result = await runExecution(run, execution);
    if (result.outcome !== 'attempted') return result;
  }
  // This is also the result if no entry applied, because the flow has proven nothing then.
  return { outcome: 'attempted' };
}

/**
 * Handles a browser's answer to one authenticator: a posted page, or the parameters of its return from an external
 * site.
 */
export async function runAction(
  run: FlowRun,
  execution: Execution,
  form: Readonly<Record<string, string>>,
  method: 'action' | 'returned' = 'action',
): Promise<FlowResult> {
  const enabled = authenticatorOf(run.session, execution);
  const provider = enabled && createStep(run.session, enabled);
  if (enabled === undefined || provider?.[method] === undefined) return runExecution(run, execution);
  const context = await contextFor(run, execution, enabled, consumeState(run.state, execution.id));
  const call = () => provider[method]?.(context, form) ?? provider.authenticate(context);
  const step = await callStep(run, enabled, context, true, call);
  requireValidAnswer(enabled, provider, step);
  // Another answer to the same page was accepted meanwhile. If this one were accepted too, it could change the user
  // after later steps have succeeded for the first user.
  if (run.state.waitsFor !== execution.id) return failure('expired_code', 'expiredCodeMessage');
  if (hasVerifiedPassword(enabled, step)) run.typedPassword = form.password;
  return acceptStep(run, execution, enabled, step, context);
}

export function findExecution(executions: readonly Execution[], id: string): Execution | undefined {
  for (const execution of executions) {
    const found = execution.id === id ? execution : findExecution(execution.executions, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function runExecution(run: FlowRun, execution: Execution): Promise<FlowResult> {
  if (execution.authenticator === undefined) {
    const result = await runEntries(run, execution.executions);
    const { flowAlias } = execution;
    if (result.outcome === 'success' && flowAlias !== undefined) run.state.passedFlows.add(flowAlias);
    return result;
  }
  const doneOutcome = run.state.done.get(execution.id);
  if (doneOutcome !== undefined) return { outcome: doneOutcome };
  const enabled = authenticatorOf(run.session, execution);
  // A realm may name an authenticator that this host does not have. It never succeeds.
  if (enabled === undefined) return applyStep(run, execution, { outcome: 'attempted' }, {});
  const provider = createStep(run.session, enabled);
  const context = await contextFor(run, execution, enabled, undefined);
  const step = await callStep(run, enabled, context, false, () => provider.authenticate(context));
  requireValidAnswer(enabled, provider, step);
  if (hasVerifiedPassword(enabled, step)) run.typedPassword = context.form?.password;
  return acceptStep(run, execution, enabled, step, context);
}

/** Calls an authenticator, and counts its answer if it declares that. */
function callStep(
  run: FlowRun,
  enabled: EnabledAuthenticator,
  context: AuthenticationContext,
  isAnswered: boolean,
  call: () => Promise<AuthenticationStep>,
): Promise<AuthenticationStep> {
  const { session, bruteForce } = run;
  const answer = () => callStepMethod(session, enabled, call);
  const isCounted = enabled.registered.declaration.countsForBruteForce !== undefined;
  return isCounted ? bruteForce.countAnswerOf(session, enabled, context, isAnswered, answer) : answer();
}

/**
 * The context of an authenticator.
 * @param state the state that it has stored
 */
export async function contextFor(
  run: FlowRun,
  execution: Execution,
  enabled: EnabledAuthenticator,
  state: string | undefined,
): Promise<AuthenticationContext> {
  const context = { ...(await run.context(execution, enabled)), typedPassword: typedPasswordFor(run, enabled), state };
  if (!enabled.registered.plugin.builtin)
    Object.defineProperty(context, 'proven', { get: () => refuseProven(enabled) });
  return context;
}

/**
 * Rejects reads of `context.proven`, which was removed. It was true after any proof in the login, and plugins mistook
 * it for a proof of their own.
 */
function refuseProven(enabled: EnabledAuthenticator): never {
  throw stepShapeError(
    enabled,
    'reads context.proven, which is gone: read followedLink for the link of the step, else provenBefore',
  );
}

/**
 * Checks that an authenticator has the methods that its answer needs, and may use the files of its page.
 * @throws HostError `provider_shape`
 */
function requireValidAnswer(
  enabled: EnabledAuthenticator,
  { returned, poll }: AuthenticatorProvider,
  step: AuthenticationStep,
): void {
  if (step.outcome === 'redirect' && returned === undefined)
    throw stepShapeError(enabled, 'answered redirect, and has no method returned');
  if (step.outcome !== 'challenge') return;
  const problem = fileProblem(enabled, step);
  if (problem !== undefined) throw stepShapeError(enabled, problem);
  if (step.poll === undefined) return;
  if (poll === undefined) throw stepShapeError(enabled, 'answered poll, and has no method poll');
  if (step.page.page !== 'form')
    throw stepShapeError(enabled, `answered poll with a page ${step.page.page}: only a form polls`);
}

/** The error for an answer that an authenticator must not give. */
export function stepShapeError({ registered: { plugin, spi, id } }: EnabledAuthenticator, problem: string): HostError {
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${problem}`);
}

/** The ID of the user whose identity the answer proves: the user that it names, else the context's user. */
function provenUserId(
  { registered }: EnabledAuthenticator,
  { user }: Pick<AuthenticationContext, 'user'>,
  step: AuthenticationStep,
): string | undefined {
  if (registered.declaration.describe?.proves !== true) return undefined;
  return step.outcome === 'success' && step.proves === undefined ? (step.userId ?? user?.id) : undefined;
}

/** Accepts an answer. Cookies are set only if the answer is valid. */
async function acceptStep(
  run: FlowRun,
  execution: Execution,
  enabled: EnabledAuthenticator,
  step: AuthenticationStep,
  context: AuthenticationContext,
): Promise<FlowResult> {
  run.browser?.check(enabled, step);
  const result = applyStep(run, execution, step, context, provenUserId(enabled, context, step));
  if (result.outcome !== 'failure') await run.browser?.set(enabled, step);
  return result.outcome === 'waits' ? { ...result, resources: filesOf(enabled, result.step) } : result;
}

/** The files of a page. A plugin may only use those of its own package. */
function filesOf(enabled: EnabledAuthenticator, step: HostChallenge): StepFiles | undefined {
  return enabled.registered.plugin.builtin ? step.files : stepFiles(enabled, step);
}

/**
 * Applies an answer to the state.
 * @param userOfProof the user whose identity the answer proves
 */
function applyStep(
  run: FlowRun,
  execution: Execution,
  step: AuthenticationStep,
  { returnTo }: Partial<Pick<AuthenticationContext, 'returnTo'>>,
  userOfProof?: string,
): FlowResult {
  if (step.outcome === 'redirect') {
    // A direct grant cannot redirect.
    if (returnTo === undefined) return { outcome: 'attempted' };
    storeState(run.state, execution.id, step.state);
    return { outcome: 'redirect', execution, to: step.to, state: returnTo.state };
  }
  if (step.outcome === 'challenge') {
    storeState(run.state, execution.id, step.state);
    return { outcome: 'waits', execution, step };
  }
  if (step.outcome === 'failure') return { outcome: 'failure', step };
  // A direct grant has no login page to return to.
  if (step.outcome === 'fork') return returnTo === undefined ? { outcome: 'attempted' } : step;
  if (step.outcome === 'identity-provider') {
    // If the user returns without having signed in there, the next step runs.
    run.state.done.set(execution.id, 'attempted');
    return step;
  }
  const { state } = run;
  if (step.outcome === 'success') {
    // Keycloak's user_conflict: earlier steps have identified another user.
    if (state.userId !== undefined && (step.userId ?? state.userId) !== state.userId) {
      return failure('user_conflict', 'invalidUserMessage');
    }
    run.recordSuccess(step);
    if (userOfProof !== undefined && userOfProof === state.userId) state.proven = userOfProof;
    removeStepLinks(state, execution.id);
    if (step.credentialType !== undefined) state.credentialTypes.add(step.credentialType);
    Object.assign(state.references, stepReference(execution.config, run.nowSeconds()));
  }
  state.done.set(execution.id, step.outcome);
  if (state.waitsFor === execution.id) delete state.waitsFor;
  return { outcome: step.outcome };
}

function failure(error: string, key: string): FlowResult {
  return { outcome: 'failure', step: { outcome: 'failure', error, message: { key } } };
}

/** The alternatives of a flow in order, but those that the user chose come first. */
export function alternativesOf(run: FlowRun, executions: readonly Execution[]): Execution[] {
  const { chosen } = run.state;
  const rank = ({ id }: Execution) => (chosen.includes(id) ? chosen.indexOf(id) : chosen.length);
  return executions
    .filter((execution) => execution.requirement === 'ALTERNATIVE' && !isCondition(run.session, execution))
    .sort((a, b) => rank(a) - rank(b));
}

/**
 * True if the user is not set up for the authenticator, so that other alternatives are tried. False for a sub-flow, and
 * for an execution that is done.
 */
export async function isNotConfiguredForUser(run: FlowRun, execution: Execution): Promise<boolean> {
  if (authenticatorOf(run.session, execution) === undefined || run.state.done.has(execution.id)) return false;
  const { user } = await run.context(execution);
  return user !== undefined && !(await isStepConfigured(run.session, user, execution));
}
