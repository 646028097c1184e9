import {
  type AuthenticationContext,
  type AuthenticationStep,
  type AuthenticatorProvider,
  type FlowEntry,
  HostError,
  type Message,
} from '@keyhost/spi';
import { LEVEL_CONDITION, levelOfCondition } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import { stepReference } from '../../tokens/method-references.js';
import { isStepConfigured } from './configured-steps.js';
import type { BruteForceCounter } from './counted-answers.js';
import {
  answerOf,
  authenticatorOf,
  conditionOf,
  type EnabledAuthenticator,
  isCondition,
  stepAnswerOf,
  stepOf,
} from './flow-authenticators.js';
import { consumeState, type FlowState, forgetStepLinks, isProven, storeState } from './flow-state.js';
import { NO_LEVEL } from './levels.js';
import { fileProblem, type HostChallenge, type StepFiles, stepFiles } from './step-files.js';
import { isTypedPassword, typedPasswordFor } from './typed-password.js';

/** The result of a flow or of one of its entries. */
export type FlowResult =
  | { readonly outcome: 'success' }
  /** The flow has run, but no step has proven the user's identity. */
  | { readonly outcome: 'unproven' }
  | { readonly outcome: 'attempted' }
  | {
      readonly outcome: 'waits';
      readonly execution: Execution;
      readonly step: Extract<AuthenticationStep, { outcome: 'challenge' }>;
      readonly resources?: StepFiles | undefined;
    }
  | { readonly outcome: 'identity-provider'; readonly alias: string; readonly loginHint?: string }
  /** @param state must be in the browser's return */
  | { readonly outcome: 'redirect'; readonly execution: Execution; readonly to: string; readonly state: string }
  | { readonly outcome: 'fork'; readonly message: Message }
  | { readonly outcome: 'failure'; readonly step: Extract<AuthenticationStep, { outcome: 'failure' }> };

export interface FlowRun {
  readonly session: HostSession;
  readonly state: FlowState;
  /** The present context of a step. */
  context(
    execution: Execution,
    enabled?: EnabledAuthenticator,
  ): Promise<Omit<AuthenticationContext, 'state' | 'typedPassword'>>;
  /** Checks and sets a step's cookies in the browser. Absent in a direct grant. */
  readonly browser?: {
    /** @throws HostError `provider_shape` for what the step may not set */
    check(enabled: EnabledAuthenticator, step: AuthenticationStep): void;
    set(enabled: EnabledAuthenticator, step: AuthenticationStep): Promise<void>;
  };
  /** Counts wrong answers to steps that declare `countsForBruteForce`. */
  readonly counted: BruteForceCounter;
  /** The requested level; `NO_LEVEL`: none. */
  wantedLevel(): Promise<number>;
  /** The scopes that the application will get. */
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  now(): number;
  /** The password that a step of this run has accepted; never stored beyond the request. */
  typedPassword?: string | undefined;
  /** Called after a step has succeeded, before the flow continues. */
  succeeded(step: Extract<AuthenticationStep, { outcome: 'success' }>): void;
}

/**
 * Runs a whole flow. It succeeds only for a user whose identity is proven, independent of the flow's entries. Proofs
 * are a step that declares `describe.proves`, the user session that is stepped up, an identity provider, or a mailed
 * link.
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
 * Runs the entries of a flow by Keycloak's rules (DefaultAuthenticationFlow). If a REQUIRED or met CONDITIONAL entry
 * exists, all such entries must succeed in order, and alternatives are ignored. Otherwise the first ALTERNATIVE to
 * succeed is enough. Steps that are done are not run again.
 */
async function runEntries(run: FlowRun, executions: readonly Execution[]): Promise<FlowResult> {
  let needed = false;
  for (const execution of executions) {
    if (isCondition(run.session, execution)) continue;
    // Conditions are for sub-flows: a CONDITIONAL step counts as REQUIRED.
    const isConditional = execution.requirement === 'CONDITIONAL' && execution.authenticator === undefined;
    // Evaluate conditions only when their flow is reached, because earlier steps may have found the user. A flow that
    // has succeeded is not evaluated again.
    const isDone = isConditional && run.state.done.get(execution.id) === 'success';
    const applies = isConditional
      ? isDone || (await conditionsMet(run, execution))
      : execution.requirement === 'REQUIRED' || execution.requirement === 'CONDITIONAL';
    if (applies === 'unknown') return { outcome: 'attempted' };
    if (!applies) continue;
    needed = true;
    if (isDone) continue;
    const result = await runOne(run, execution);
    if (result.outcome !== 'success') return result;
    if (isConditional) markConditionalDone(run, execution);
  }
  if (needed) return { outcome: 'success' };
  for (const execution of alternativesOf(run, executions)) {
    if (await isNotConfiguredForUser(run, execution)) continue;
    const result = await runOne(run, execution);
    if (result.outcome !== 'attempted') return result;
  }
  // Also if no entry applied: then the flow has proven nothing.
  return { outcome: 'attempted' };
}

/** Handles a browser's answer for one step: a posted page, or the parameters of its return from an external site. */
export async function runAction(
  run: FlowRun,
  execution: Execution,
  form: Readonly<Record<string, string>>,
  asks: 'action' | 'returned' = 'action',
): Promise<FlowResult> {
  const enabled = authenticatorOf(run.session, execution);
  const provider = enabled && stepOf(run.session, enabled);
  if (enabled === undefined || provider?.[asks] === undefined) return runOne(run, execution);
  const context = await contextFor(run, execution, enabled, consumeState(run.state, execution.id));
  const ask = () => provider[asks]?.(context, form) ?? provider.authenticate(context);
  const step = await callStep(run, enabled, context, true, ask);
  requireMethods(enabled, provider, step);
  // Another answer to the same page was accepted meanwhile. Accepting this one too could change the user after later
  // steps were done for the first.
  if (run.state.waitsFor !== execution.id) return failure('expired_code', 'expiredCodeMessage');
  if (isTypedPassword(enabled, step)) run.typedPassword = form.password;
  return acceptStep(run, execution, enabled, step, context);
}

export function findExecution(executions: readonly Execution[], id: string): Execution | undefined {
  for (const execution of executions) {
    const found = execution.id === id ? execution : findExecution(execution.executions, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function runOne(run: FlowRun, execution: Execution): Promise<FlowResult> {
  if (execution.authenticator === undefined) {
    const result = await runEntries(run, execution.executions);
    const { flowAlias } = execution;
    if (result.outcome === 'success' && flowAlias !== undefined) run.state.passedFlows.add(flowAlias);
    return result;
  }
  const done = run.state.done.get(execution.id);
  if (done !== undefined) return { outcome: done };
  const enabled = authenticatorOf(run.session, execution);
  // A realm may name a step that this host does not have: it never succeeds.
  if (enabled === undefined) return applyStep(run, execution, { outcome: 'attempted' }, {});
  const provider = stepOf(run.session, enabled);
  const context = await contextFor(run, execution, enabled, undefined);
  const step = await callStep(run, enabled, context, false, () => provider.authenticate(context));
  requireMethods(enabled, provider, step);
  if (isTypedPassword(enabled, step)) run.typedPassword = context.form?.password;
  return acceptStep(run, execution, enabled, step, context);
}

/** Calls a step, and counts its answer if the step declares it. */
function callStep(
  run: FlowRun,
  enabled: EnabledAuthenticator,
  context: AuthenticationContext,
  isAnswered: boolean,
  ask: () => Promise<AuthenticationStep>,
): Promise<AuthenticationStep> {
  const { session, counted } = run;
  const answer = () => stepAnswerOf(session, enabled, ask);
  const counts = enabled.registered.declaration.countsForBruteForce !== undefined;
  return counts ? counted.of(session, enabled, context, isAnswered, answer) : answer();
}

/** The context of a step. @param state the state that it has stored */
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
 * Rejects the removed `context.proven`. It was true after any proof of the login, and steps mistook it for their own.
 */
function refuseProven(enabled: EnabledAuthenticator): never {
  throw stepShapeError(
    enabled,
    'reads context.proven, which is gone: read followedLink for the link of the step, else provenBefore',
  );
}

/**
 * @throws HostError `provider_shape` if the step redirects without a `returned` method, or asks for polling without
 * `poll`
 */
function requireMethods(
  enabled: EnabledAuthenticator,
  { returned, poll }: AuthenticatorProvider,
  step: AuthenticationStep,
): void {
  if (step.outcome === 'redirect' && returned === undefined)
    throw stepShapeError(enabled, 'answered redirect, and has no method returned');
  if (step.outcome !== 'challenge') return;
  const wrongFile = fileProblem(enabled, step);
  if (wrongFile !== undefined) throw stepShapeError(enabled, wrongFile);
  if (step.poll === undefined) return;
  if (poll === undefined) throw stepShapeError(enabled, 'answered poll, and has no method poll');
  if (step.page.page !== 'form')
    throw stepShapeError(enabled, `answered poll with a page ${step.page.page}: only a form polls`);
}

/** An answer that a step may not give. */
export function stepShapeError({ registered: { plugin, spi, id } }: EnabledAuthenticator, what: string): HostError {
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${what}`);
}

/** The user that the answer proves: the one it names, else the step's user. */
function provenBy(
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
  const result = applyStep(run, execution, step, context, provenBy(enabled, context, step));
  if (result.outcome !== 'failure') await run.browser?.set(enabled, step);
  return result.outcome === 'waits' ? { ...result, resources: filesOf(enabled, result.step) } : result;
}

/** The files of a page. A plugin may name those of its own package only. */
function filesOf(enabled: EnabledAuthenticator, step: HostChallenge): StepFiles | undefined {
  return enabled.registered.plugin.builtin ? step.files : stepFiles(enabled, step);
}

/** @param proven the user whose identity the answer proves */
function applyStep(
  run: FlowRun,
  execution: Execution,
  step: AuthenticationStep,
  { returnTo }: Partial<Pick<AuthenticationContext, 'returnTo'>>,
  proven?: string,
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
  // A direct grant has no beginning to return to.
  if (step.outcome === 'fork') return returnTo === undefined ? { outcome: 'attempted' } : step;
  if (step.outcome === 'identity-provider') {
    // If the user returns without having signed in there, the next step runs.
    run.state.done.set(execution.id, 'attempted');
    return step;
  }
  const { state } = run;
  if (step.outcome === 'success') {
    // Keycloak's user_conflict: earlier steps have found another user.
    if (state.userId !== undefined && (step.userId ?? state.userId) !== state.userId) {
      return failure('user_conflict', 'invalidUserMessage');
    }
    run.succeeded(step);
    if (proven !== undefined && proven === state.userId) state.proven = proven;
    forgetStepLinks(state, execution.id);
    if (step.credentialType !== undefined) state.credentialTypes.add(step.credentialType);
    Object.assign(state.references, stepReference(execution.config, run.now()));
  }
  state.done.set(execution.id, step.outcome);
  if (state.waitsFor === execution.id) delete state.waitsFor;
  return { outcome: step.outcome };
}

function failure(error: string, key: string): FlowResult {
  return { outcome: 'failure', step: { outcome: 'failure', error, message: { key } } };
}

/**
 * True if a CONDITIONAL flow runs: it has enabled conditions, and all of them are met. Without a condition it is
 * skipped, as in Keycloak (`isConditionalSubflowDisabled`). A condition that this host does not have leaves the path of
 * the login undecided. Either path may be the weaker one, so the flow fails.
 */
async function conditionsMet(run: FlowRun, { executions }: Execution): Promise<boolean | 'unknown'> {
  const conditions = executions.filter((execution) => isCondition(run.session, execution));
  for (const condition of conditions) {
    const met = await isMet(run, condition, executions);
    if (met !== true) return met;
  }
  return conditions.length > 0;
}

async function isMet(
  run: FlowRun,
  condition: Execution,
  executions: readonly Execution[],
): Promise<boolean | 'unknown'> {
  const { session, state, scopes } = run;
  const enabled = authenticatorOf(session, condition);
  if (enabled === undefined) return 'unknown';
  const provider = conditionOf(session, enabled);
  const wantedLevel = await run.wantedLevel();
  const context = await run.context(condition, enabled);
  return answerOf(session, enabled, () =>
    provider.isMet({
      ...context,
      scopes,
      level: state.level === NO_LEVEL ? undefined : state.level,
      wantedLevel: wantedLevel === NO_LEVEL ? undefined : wantedLevel,
      executions: executions.map(entryOf),
      executedFlows: [...state.passedFlows],
    }),
  );
}

/** The part of a flow's entry that conditions see: no settings, which may hold another plugin's secrets. */
function entryOf({ authenticator, requirement, executions }: Execution): FlowEntry {
  return { authenticator, requirement, executions: executions.map(entryOf) };
}

/** Marks a CONDITIONAL flow as done. If it has a level condition, its user has reached that level. */
function markConditionalDone(run: FlowRun, { id, executions }: Execution): void {
  const { state, session } = run;
  state.done.set(id, 'success');
  for (const one of executions) {
    if (one.authenticator !== LEVEL_CONDITION || !isCondition(session, one)) continue;
    const { level } = levelOfCondition(one) ?? {};
    if (level === undefined) continue;
    state.level = Math.max(state.level ?? level, level);
    state.levels[level] = run.now();
  }
}

/** The alternatives in order, those that the user chose first. */
export function alternativesOf(run: FlowRun, executions: readonly Execution[]): Execution[] {
  const { chosen } = run.state;
  const rank = ({ id }: Execution) => (chosen.includes(id) ? chosen.indexOf(id) : chosen.length);
  return executions
    .filter((execution) => execution.requirement === 'ALTERNATIVE' && !isCondition(run.session, execution))
    .sort((a, b) => rank(a) - rank(b));
}

/** True for an alternative that the user is not set up for: others are tried instead. */
export async function isNotConfiguredForUser(run: FlowRun, execution: Execution): Promise<boolean> {
  if (authenticatorOf(run.session, execution) === undefined || run.state.done.has(execution.id)) return false;
  const { user } = await run.context(execution);
  return user !== undefined && !(await isStepConfigured(run.session, user, execution));
}
