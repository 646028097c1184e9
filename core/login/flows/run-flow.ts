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
import type { HostSession } from '../../registry/sessions/session.js';
import { stepReference } from '../../tokens/method-references.js';
import { isStepConfigured } from './configured-steps.js';
import type { CountedAnswers } from './counted-answers.js';
import {
  answerOf,
  authenticatorOf,
  conditionOf,
  type EnabledAuthenticator,
  isCondition,
  stepAnswerOf,
  stepOf,
} from './flow-authenticators.js';
import { type FlowState, forgetStepLinks, isProven, keepState, takeState } from './flow-state.js';
import { NO_LEVEL } from './levels.js';
import { type HostChallenge, type StepFiles, stepFiles, wrongFileOf } from './step-files.js';
import { isTypedPassword, typedPasswordFor } from './typed-password.js';

/** What a flow, or an entry of it, has come to. */
export type FlowResult =
  | { readonly outcome: 'success' }
  /** The flow has been gone through, and nothing in it has proven that this is the user. */
  | { readonly outcome: 'unproven' }
  | { readonly outcome: 'attempted' }
  | {
      readonly outcome: 'waits';
      readonly execution: Execution;
      readonly step: Extract<AuthenticationStep, { outcome: 'challenge' }>;
      readonly resources?: StepFiles | undefined;
    }
  | { readonly outcome: 'identity-provider'; readonly alias: string; readonly loginHint?: string }
  /** @param state what the browser must come back with */
  | { readonly outcome: 'redirect'; readonly execution: Execution; readonly to: string; readonly state: string }
  | { readonly outcome: 'fork'; readonly message: Message }
  | { readonly outcome: 'failure'; readonly step: Extract<AuthenticationStep, { outcome: 'failure' }> };

export interface FlowRun {
  readonly session: HostSession;
  readonly state: FlowState;
  /** What a step sees, as things stand now. */
  context(
    execution: Execution,
    enabled?: EnabledAuthenticator,
  ): Promise<Omit<AuthenticationContext, 'state' | 'typedPassword'>>;
  /** What an answer of a step sets in the browser. Absent where there is none. */
  readonly browser?: {
    /** @throws HostError `provider_shape` for what the step may not set */
    check(enabled: EnabledAuthenticator, step: AuthenticationStep): void;
    set(enabled: EnabledAuthenticator, step: AuthenticationStep): Promise<void>;
  };
  /** Counts wrong answers to steps that say so. */
  readonly counted: CountedAnswers;
  /** The level that is asked for; `NO_LEVEL`: none. */
  wantedLevel(): Promise<number>;
  /** The scopes that the application gets. */
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  now(): number;
  /** The password by which a step of this run has succeeded: nothing keeps it beyond the request. */
  typedPassword?: string | undefined;
  /** Called when a step has succeeded, before the flow goes on. */
  succeeded(step: Extract<AuthenticationStep, { outcome: 'success' }>): void;
}

/**
 * Runs the whole of a flow. Whatever its entries are, it succeeds for a user of whom this is proven, and for nobody else:
 * by a step that says so of itself (`describe.proves`), by the user session that is stepped up, at an identity provider, or by
 * a link that was mailed.
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
 * Runs the entries of a flow by Keycloak's rules (DefaultAuthenticationFlow): with a REQUIRED or met CONDITIONAL entry every such entry
 * must succeed, in order, and alternatives are not looked at; else the first ALTERNATIVE that succeeds is enough.
 * Steps that are done are not run again.
 */
async function runEntries(run: FlowRun, executions: readonly Execution[]): Promise<FlowResult> {
  let needed = false;
  for (const execution of executions) {
    if (isCondition(run.session, execution)) continue;
    const isConditional = execution.requirement === 'CONDITIONAL';
    // The conditions are asked when it is the flow's turn, since steps before it may have found the user. A flow that was
    // gone through is not asked about again.
    const isDone = isConditional && run.state.done.get(execution.id) === 'success';
    const applies = isConditional
      ? isDone || (await conditionsMet(run, execution))
      : execution.requirement === 'REQUIRED';
    if (applies === 'unknown') return { outcome: 'attempted' };
    if (!applies) continue;
    needed = true;
    if (isDone) continue;
    const result = await runOne(run, execution);
    if (result.outcome !== 'success') return result;
    if (isConditional) conditionalDone(run, execution);
  }
  if (needed) return { outcome: 'success' };
  for (const execution of alternativesOf(run, executions)) {
    if (await lacksWhatItAsksFor(run, execution)) continue;
    const result = await runOne(run, execution);
    if (result.outcome !== 'attempted') return result;
  }
  // A flow in which nothing applied comes here too: it has asked for nothing, and so nobody has shown anything.
  return { outcome: 'attempted' };
}

/**
 * What a browser brings to one step: the answer to its page, or the parameters that it came back with from where the step sent it.
 */
export async function runAction(
  run: FlowRun,
  execution: Execution,
  form: Readonly<Record<string, string>>,
  asks: 'action' | 'returned' = 'action',
): Promise<FlowResult> {
  const enabled = authenticatorOf(run.session, execution);
  const provider = enabled && stepOf(run.session, enabled);
  if (enabled === undefined || provider?.[asks] === undefined) return runOne(run, execution);
  const context = await contextFor(run, execution, enabled, takeState(run.state, execution.id));
  const ask = () => provider[asks]?.(context, form) ?? provider.authenticate(context);
  const step = await answered(run, enabled, context, true, ask);
  requireMethods(enabled, provider, step);
  // Another answer to the same page was taken meanwhile. Were this one taken too, it could change the user after the
  // steps that follow were done for the first.
  if (run.state.waitsFor !== execution.id) return failure('expired_code', 'expiredCodeMessage');
  if (isTypedPassword(enabled, step)) run.typedPassword = form.password;
  return taken(run, execution, enabled, step, context);
}

/** The execution with that id. */
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
  // A realm may name a step that this host does not have: nobody is let in by it.
  if (enabled === undefined) return settle(run, execution, { outcome: 'attempted' }, {});
  const provider = stepOf(run.session, enabled);
  const context = await contextFor(run, execution, enabled, undefined);
  const step = await answered(run, enabled, context, false, () => provider.authenticate(context));
  requireMethods(enabled, provider, step);
  if (isTypedPassword(enabled, step)) run.typedPassword = context.form?.password;
  return taken(run, execution, enabled, step, context);
}

/** A step's answer, counted if it is one to count. */
function answered(
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

/** What a step sees. @param state what it has kept */
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

/** Refuses `proven`, which contexts had once. It was true by any proof of the login, and steps took it for their own. */
function refuseProven(enabled: EnabledAuthenticator): never {
  throw wrongStep(
    enabled,
    'reads context.proven, which is gone: read followedLink for the link of the step, else provenBefore',
  );
}

/** @throws HostError `provider_shape` for a step that sends the browser away and could not take it back, or has its page ask nobody */
function requireMethods(
  enabled: EnabledAuthenticator,
  { returned, poll }: AuthenticatorProvider,
  step: AuthenticationStep,
): void {
  if (step.outcome === 'redirect' && returned === undefined)
    throw wrongStep(enabled, 'answered redirect, and has no method returned');
  if (step.outcome !== 'challenge') return;
  const wrongFile = wrongFileOf(enabled, step);
  if (wrongFile !== undefined) throw wrongStep(enabled, wrongFile);
  if (step.poll === undefined) return;
  if (poll === undefined) throw wrongStep(enabled, 'answered poll, and has no method poll');
  if (step.page.page !== 'form')
    throw wrongStep(enabled, `answered poll with a page ${step.page.page}: only a form polls`);
}

/** An answer that is none of a step's. */
export function wrongStep({ registered: { plugin, spi, id } }: EnabledAuthenticator, what: string): HostError {
  return new HostError('provider_shape', `${plugin.name}: ${spi.id}/${id} ${what}`);
}

/** The user of whom the answer is proof: whom it names, else whom the step was shown. */
function provenBy(
  { registered }: EnabledAuthenticator,
  { user }: Pick<AuthenticationContext, 'user'>,
  step: AuthenticationStep,
): string | undefined {
  if (registered.declaration.describe?.proves !== true) return undefined;
  return step.outcome === 'success' && step.proves === undefined ? (step.userId ?? user?.id) : undefined;
}

/** An answer that comes in time. What is none of a login's leaves nothing in the browser. */
async function taken(
  run: FlowRun,
  execution: Execution,
  enabled: EnabledAuthenticator,
  step: AuthenticationStep,
  context: AuthenticationContext,
): Promise<FlowResult> {
  run.browser?.check(enabled, step);
  const result = settle(run, execution, step, context, provenBy(enabled, context, step));
  if (result.outcome !== 'failure') await run.browser?.set(enabled, step);
  return result.outcome === 'waits' ? { ...result, resources: filesOf(enabled, result.step) } : result;
}

/** The files of a page. A plugin names those of its own package alone. */
function filesOf(enabled: EnabledAuthenticator, step: HostChallenge): StepFiles | undefined {
  return enabled.registered.plugin.builtin ? step.files : stepFiles(enabled, step);
}

/** @param proven the user of whom the answer is proof */
function settle(
  run: FlowRun,
  execution: Execution,
  step: AuthenticationStep,
  { returnTo }: Partial<Pick<AuthenticationContext, 'returnTo'>>,
  proven?: string,
): FlowResult {
  if (step.outcome === 'redirect') {
    // A direct grant has no browser to send anywhere.
    if (returnTo === undefined) return { outcome: 'attempted' };
    keepState(run.state, execution.id, step.state);
    return { outcome: 'redirect', execution, to: step.to, state: returnTo.state };
  }
  if (step.outcome === 'challenge') {
    keepState(run.state, execution.id, step.state);
    return { outcome: 'waits', execution, step };
  }
  if (step.outcome === 'failure') return { outcome: 'failure', step };
  // A direct grant has no beginning to go back to.
  if (step.outcome === 'fork') return returnTo === undefined ? { outcome: 'attempted' } : step;
  if (step.outcome === 'identity-provider') {
    // A user who comes back without having logged in there goes on with the next step.
    run.state.done.set(execution.id, 'attempted');
    return step;
  }
  const { state } = run;
  if (step.outcome === 'success') {
    // Keycloak's user_conflict: what earlier steps have shown is about another user.
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
 * A condition that this host does not have leaves open which way the login goes on: either may ask for less than the other, so
 * that nobody passes.
 */
async function conditionsMet(run: FlowRun, { executions }: Execution): Promise<boolean | 'unknown'> {
  for (const one of executions) {
    const met = isCondition(run.session, one) ? await isMet(run, one, executions) : true;
    if (met !== true) return met;
  }
  return true;
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

/** What a condition sees of the entries of its flow: never their settings, which may hold secrets of another plugin. */
function entryOf({ authenticator, requirement, executions }: Execution): FlowEntry {
  return { authenticator, requirement, executions: executions.map(entryOf) };
}

/** Marks a CONDITIONAL flow as gone through: where the condition in it is one of a level, its user has reached that level. */
function conditionalDone(run: FlowRun, { id, executions }: Execution): void {
  const { state, session } = run;
  if (executions.length > 0) state.done.set(id, 'success');
  for (const one of executions) {
    if (one.authenticator !== LEVEL_CONDITION || !isCondition(session, one)) continue;
    const { level } = levelOfCondition(one) ?? {};
    if (level === undefined) continue;
    state.level = Math.max(state.level ?? level, level);
    state.levels[level] = run.now();
  }
}

/** The alternatives in their order; what the user chose comes first. */
export function alternativesOf(run: FlowRun, executions: readonly Execution[]): Execution[] {
  const { chosen } = run.state;
  const rank = ({ id }: Execution) => (chosen.includes(id) ? chosen.indexOf(id) : chosen.length);
  return executions
    .filter((execution) => execution.requirement === 'ALTERNATIVE' && !isCondition(run.session, execution))
    .sort((a, b) => rank(a) - rank(b));
}

/** True for an alternative that asks for something that its user does not have: others are tried in its place. */
export async function lacksWhatItAsksFor(run: FlowRun, execution: Execution): Promise<boolean> {
  if (authenticatorOf(run.session, execution) === undefined || run.state.done.has(execution.id)) return false;
  const { user } = await run.context(execution);
  return user !== undefined && !(await isStepConfigured(run.session, user, execution));
}
