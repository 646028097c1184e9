import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type AuthenticatorProvider,
  HostError,
} from '@keyhost/spi';
import type { User } from '../../model/user.js';
import { LEVEL_CONDITION, levelOfCondition } from '../../realms/flows/flow-levels.js';
import type { Execution } from '../../realms/flows/flow-model.js';
import { createProvider, type EnabledProvider, enabledProvider } from '../../registry/generations/realm-providers.js';
import type { HostSession } from '../../registry/sessions/session.js';
import { stepReference } from '../../tokens/method-references.js';
import { isMet } from '../conditions/flow-conditions.js';
import { type FlowState, keepState, takeState } from './flow-state.js';

type Enabled = EnabledProvider<Readonly<Record<never, never>>, AuthenticatorProvider>;

/** What a flow has come to. */
export type FlowResult =
  | { readonly outcome: 'success' }
  | { readonly outcome: 'attempted' }
  | {
      readonly outcome: 'waits';
      readonly execution: Execution;
      readonly step: Extract<AuthenticationStep, { outcome: 'challenge' }>;
    }
  | { readonly outcome: 'identity-provider'; readonly alias: string }
  | { readonly outcome: 'failure'; readonly step: Extract<AuthenticationStep, { outcome: 'failure' }> };

export interface FlowRun {
  readonly session: HostSession;
  readonly login: FlowState;
  /** What a step sees, as the login stands now. */
  context(execution: Execution): Promise<Omit<AuthenticationContext, 'state'>>;
  /** The login's user, as far as it knows one. */
  user(): Promise<User | undefined>;
  /** The level that is asked for; below 0: none. */
  wantedLevel(): Promise<number>;
  /** The scopes that the application gets. */
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  now(): number;
  /** Called when a step has succeeded, before the flow goes on. */
  succeeded(step: Extract<AuthenticationStep, { outcome: 'success' }>): void;
}

/**
 * Runs a flow by Keycloak's rules (DefaultAuthenticationFlow): with a REQUIRED or met CONDITIONAL entry every such entry
 * must succeed, in order, and alternatives are not looked at; else the first ALTERNATIVE that succeeds is enough.
 * Steps that are done are not run again.
 */
export async function runFlow(run: FlowRun, executions: readonly Execution[]): Promise<FlowResult> {
  let needed = false;
  for (const execution of executions) {
    if (isCondition(run, execution)) continue;
    const isConditional = execution.requirement === 'CONDITIONAL';
    // Looked at when it is its turn: what came before may have found the user. What was met and done stays so.
    const isDone = isConditional && run.login.done.get(execution.id) === 'success';
    const applies = isConditional
      ? isDone || (await conditionsMet(run, execution))
      : execution.requirement === 'REQUIRED';
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
  // Also where nothing applied: a flow that asked for nothing has shown nothing.
  return { outcome: 'attempted' };
}

/** The answer to the page of one step. */
export async function runAction(
  run: FlowRun,
  execution: Execution,
  form: Readonly<Record<string, string>>,
): Promise<FlowResult> {
  const enabled = providerOf(run, execution);
  const provider = enabled && createProvider(enabled, run.session);
  if (enabled === undefined || provider?.action === undefined) return runOne(run, execution);
  const state = takeState(run.login, execution.id);
  const context = { ...(await run.context(execution)), state };
  const step = await answerOf(run, enabled, provider.action(context, form));
  // Another answer to the same page was taken meanwhile. Were this one taken too, it could change the user after the
  // steps that follow were done for the first.
  if (run.login.waitsFor !== execution.id) return failure('expired_code', 'expiredCodeMessage');
  return settle(run, execution, step);
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
  if (execution.authenticator === undefined) return runFlow(run, execution.executions);
  const done = run.login.done.get(execution.id);
  if (done !== undefined) return { outcome: done };
  const enabled = providerOf(run, execution);
  // A step of an import that this host does not have can stand in for nobody.
  if (enabled === undefined) return settle(run, execution, { outcome: 'attempted' });
  const provider = createProvider(enabled, run.session);
  const context = { ...(await run.context(execution)), state: undefined };
  return settle(run, execution, await answerOf(run, enabled, provider.authenticate(context)));
}

function settle(run: FlowRun, execution: Execution, step: AuthenticationStep): FlowResult {
  if (step.outcome === 'challenge') {
    keepState(run.login, execution.id, step.state);
    return { outcome: 'waits', execution, step };
  }
  if (step.outcome === 'failure') return { outcome: 'failure', step };
  if (step.outcome === 'identity-provider') {
    // Who comes back without a login there goes on with what is next.
    run.login.done.set(execution.id, 'attempted');
    return { outcome: 'identity-provider', alias: step.alias };
  }
  if (step.outcome !== 'success' && step.outcome !== 'attempted') {
    throw new HostError('unknown_error', `authenticator ${execution.authenticator} answered without a known outcome`);
  }
  const { login } = run;
  if (step.outcome === 'success') {
    // Keycloak's user_conflict: what other steps have shown is about somebody else.
    if (login.userId !== undefined && (step.userId ?? login.userId) !== login.userId) {
      return failure('user_conflict', 'invalidUserMessage');
    }
    run.succeeded(step);
    if (step.credentialType !== undefined) login.credentialTypes.add(step.credentialType);
    Object.assign(login.references, stepReference(execution.config, run.now()));
  }
  login.done.set(execution.id, step.outcome);
  if (login.waitsFor === execution.id) delete login.waitsFor;
  return { outcome: step.outcome };
}

function failure(error: string, key: string): FlowResult {
  return { outcome: 'failure', step: { outcome: 'failure', error, message: { key } } };
}

/** One of Keycloak's conditions; a plugin's step is a step, however it is called. */
export function isCondition(run: Pick<FlowRun, 'session'>, { authenticator, requirement }: Execution): boolean {
  if (authenticator?.startsWith('conditional-') !== true || requirement === 'DISABLED') return false;
  return providerOf(run, { authenticator }) === undefined;
}

async function conditionsMet(run: FlowRun, { executions }: Execution): Promise<boolean> {
  for (const one of executions) {
    if (!isCondition(run, one)) continue;
    const byUser = one.authenticator === 'conditional-user-configured';
    if (!(await (byUser ? isConfigured(run, executions) : isMet(run, one)))) return false;
  }
  return true;
}

/** Whoever went through a flow behind a level's condition has reached that level. */
function conditionalDone({ login, now, ...run }: FlowRun, { id, executions }: Execution): void {
  if (executions.length > 0) login.done.set(id, 'success');
  for (const one of executions) {
    if (one.authenticator !== LEVEL_CONDITION || !isCondition(run, one)) continue;
    const { level } = levelOfCondition(one) ?? {};
    if (level === undefined) continue;
    login.level = Math.max(login.level ?? level, level);
    login.levels[level] = now();
  }
}

/** The user is set up for every step that is required, or else for one of the alternatives. */
async function isConfigured(run: FlowRun, executions: readonly Execution[]): Promise<boolean> {
  const steps = executions.filter((one) => one.requirement !== 'DISABLED' && !isCondition(run, one));
  const required = steps.filter(({ requirement }) => requirement !== 'ALTERNATIVE');
  for (const step of required) if (!(await isStepConfigured(run, step))) return false;
  if (required.length > 0) return true;
  for (const step of steps) if (await isStepConfigured(run, step)) return true;
  return false;
}

async function isStepConfigured(run: FlowRun, execution: Execution): Promise<boolean> {
  const { authenticator } = execution;
  if (authenticator === undefined) return isConfigured(run, execution.executions);
  const { user } = await run.context(execution);
  if (user === undefined) return false;
  const enabled = providerOf(run, execution);
  if (enabled === undefined) return false;
  const provider = createProvider(enabled, run.session);
  return provider.configuredFor === undefined || answerOf(run, enabled, provider.configuredFor(user));
}

/** The alternatives in their order; what the user chose comes first. */
export function alternativesOf(run: FlowRun, executions: readonly Execution[]): Execution[] {
  const { chosen } = run.login;
  const rank = ({ id }: Execution) => (chosen.includes(id) ? chosen.indexOf(id) : chosen.length);
  return executions
    .filter((execution) => execution.requirement === 'ALTERNATIVE' && !isCondition(run, execution))
    .sort((a, b) => rank(a) - rank(b));
}

/** An alternative that asks for something that its user does not have stands aside for others. */
export async function lacksWhatItAsksFor(run: FlowRun, execution: Execution): Promise<boolean> {
  const enabled = providerOf(run, execution);
  if (enabled === undefined || run.login.done.has(execution.id)) return false;
  const { user } = await run.context(execution);
  return user !== undefined && !(await isStepConfigured(run, execution));
}

export function providerOf(
  { session }: Pick<FlowRun, 'session'>,
  { authenticator }: Pick<Execution, 'authenticator'>,
): Enabled | undefined {
  if (authenticator === undefined) return undefined;
  return enabledProvider(session.generation, session.compiledRealm, Authenticator, authenticator);
}

/** A plugin's answer, which has its time; a password waits for its turn as long as it takes. */
function answerOf<T>({ session }: FlowRun, { registered }: Enabled, answer: Promise<T>): Promise<T> {
  return registered.plugin.builtin ? answer : session.limited(answer);
}
