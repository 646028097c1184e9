import {
  type AuthenticationContext,
  type AuthenticationStep,
  Authenticator,
  type AuthenticatorProvider,
} from '@keyhost/spi';
import { createProvider, enabledProvider } from '../registry/realm-providers.js';
import type { ProviderRegistry } from '../registry/registry.js';
import type { HostSession } from '../registry/session.js';
import type { AuthenticationSession } from './authentication-sessions.js';
import type { Execution } from './flow-model.js';

/** What a flow has come to. */
export type FlowResult =
  | { readonly outcome: 'success' }
  | { readonly outcome: 'attempted' }
  | {
      readonly outcome: 'waits';
      readonly execution: Execution;
      readonly step: Extract<AuthenticationStep, { outcome: 'challenge' }>;
    }
  | { readonly outcome: 'failure'; readonly step: Extract<AuthenticationStep, { outcome: 'failure' }> };

export interface FlowRun {
  readonly registry: ProviderRegistry;
  readonly session: HostSession;
  readonly login: AuthenticationSession;
  /** What a step sees, as the login stands now. */
  context(execution: Execution): Promise<AuthenticationContext>;
  /** Called when a step has succeeded, before the flow goes on. */
  succeeded(step: Extract<AuthenticationStep, { outcome: 'success' }>): void;
}

/**
 * Runs a flow by Keycloak's rules (DefaultAuthenticationFlow): with a REQUIRED or met CONDITIONAL entry every such entry
 * must succeed, in order, and alternatives are not looked at; else the first ALTERNATIVE that succeeds is enough.
 * Steps that are done are not run again.
 */
export async function runFlow(run: FlowRun, executions: readonly Execution[]): Promise<FlowResult> {
  const needed: Execution[] = [];
  for (const execution of executions) {
    if (execution.requirement === 'REQUIRED' && !isCondition(execution)) needed.push(execution);
    if (execution.requirement === 'CONDITIONAL' && (await conditionsMet(run, execution))) needed.push(execution);
  }
  if (needed.length > 0) {
    for (const execution of needed) {
      const result = await runOne(run, execution);
      if (result.outcome !== 'success') return result.outcome === 'attempted' ? { outcome: 'attempted' } : result;
    }
    return { outcome: 'success' };
  }
  const alternatives = executions.filter(({ requirement }) => requirement === 'ALTERNATIVE');
  // A flow of nothing but conditions and disabled entries asks for nothing.
  if (alternatives.length === 0) return { outcome: 'success' };
  for (const execution of alternatives) {
    const result = await runOne(run, execution);
    if (result.outcome !== 'attempted') return result;
  }
  return { outcome: 'attempted' };
}

/** The answer to the page of one step. */
export async function runAction(
  run: FlowRun,
  execution: Execution,
  form: Readonly<Record<string, string>>,
): Promise<FlowResult> {
  const provider = providerOf(run, execution);
  if (provider?.action === undefined) return runOne(run, execution);
  const context = await run.context(execution);
  return settle(run, execution, await run.session.limited(provider.action(context, form)));
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
  const provider = providerOf(run, execution);
  // A step of an import that this host does not have can stand in for nobody.
  if (provider === undefined) return settle(run, execution, { outcome: 'attempted' });
  const context = await run.context(execution);
  return settle(run, execution, await run.session.limited(provider.authenticate(context)));
}

function settle(run: FlowRun, execution: Execution, step: AuthenticationStep): FlowResult {
  if (step.outcome === 'challenge') return { outcome: 'waits', execution, step };
  if (step.outcome === 'failure') return { outcome: 'failure', step };
  run.login.done.set(execution.id, step.outcome);
  if (step.outcome === 'success') run.succeeded(step);
  return { outcome: step.outcome };
}

function isCondition({ authenticator }: Execution): boolean {
  return authenticator?.startsWith('conditional-') ?? false;
}

/** `conditional-user-configured`, the one condition that Keycloak's own flows use: all other steps are set up. */
async function conditionsMet(run: FlowRun, { executions }: Execution): Promise<boolean> {
  const conditions = executions.filter((one) => isCondition(one) && one.requirement !== 'DISABLED');
  if (conditions.length === 0) return true;
  if (conditions.some(({ authenticator }) => authenticator !== 'conditional-user-configured')) return false;
  for (const execution of executions) {
    if (isCondition(execution) || execution.requirement === 'DISABLED') continue;
    const provider = providerOf(run, execution);
    const { user } = await run.context(execution);
    if (provider === undefined || user === undefined) return false;
    if (provider.configuredFor !== undefined && !(await run.session.limited(provider.configuredFor(user))))
      return false;
  }
  return true;
}

function providerOf({ registry, session }: FlowRun, { authenticator }: Execution): AuthenticatorProvider | undefined {
  if (authenticator === undefined) return undefined;
  const enabled = enabledProvider(registry, session.compiledRealm, Authenticator, authenticator);
  return enabled && createProvider(enabled, session);
}
