import type { AuthenticationContext, AuthenticationStep, Message } from '@keyhost/spi';
import type { Execution } from '../../realms/flows/flow-model.js';
import type { HostSession } from '../../registry/sessions/host-session.js';
import type { BruteForceCounter } from './brute-force-counter.js';
import type { EnabledAuthenticator } from './flow-authenticators.js';
import type { FlowState } from './flow-state.js';
import type { StepFiles } from './step-files.js';

/** The result of a flow or of one of its entries. */
export type FlowResult =
  | { readonly outcome: 'success' }
  /** The flow has run, but nothing has proven the user's identity. */
  | { readonly outcome: 'unproven' }
  | { readonly outcome: 'attempted' }
  | {
      readonly outcome: 'waits';
      readonly execution: Execution;
      readonly step: Extract<AuthenticationStep, { outcome: 'challenge' }>;
      readonly resources?: StepFiles | undefined;
    }
  | { readonly outcome: 'identity-provider'; readonly alias: string; readonly loginHint?: string }
  /** `state`: the value that the browser must bring back. */
  | { readonly outcome: 'redirect'; readonly execution: Execution; readonly to: string; readonly state: string }
  | { readonly outcome: 'fork'; readonly message: Message }
  | { readonly outcome: 'failure'; readonly step: Extract<AuthenticationStep, { outcome: 'failure' }> };

/** One run of a flow, in a browser login or in a direct grant. */
export interface FlowRun {
  readonly session: HostSession;
  readonly state: FlowState;
  /** The current context for an authenticator. */
  context(
    execution: Execution,
    enabled?: EnabledAuthenticator,
  ): Promise<Omit<AuthenticationContext, 'state' | 'typedPassword'>>;
  /** Checks and sets a step's cookies in the browser. Absent in a direct grant. */
  readonly browser?: {
    /** @throws HostError `provider_shape` if the step sets a cookie that is undeclared or too long */
    check(enabled: EnabledAuthenticator, step: AuthenticationStep): void;
    set(enabled: EnabledAuthenticator, step: AuthenticationStep): Promise<void>;
  };
  /** Counts wrong answers to authenticators that declare `countsForBruteForce`. */
  readonly bruteForce: BruteForceCounter;
  /** The requested level; `NO_LEVEL` if there is none. */
  wantedLevel(): Promise<number>;
  /** The scopes that the application will get. */
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  nowSeconds(): number;
  /** The password that an authenticator of this run has accepted. It is never stored beyond the request. */
  typedPassword?: string | undefined;
  /** Called after an authenticator has succeeded, before the flow continues. */
  recordSuccess(step: Extract<AuthenticationStep, { outcome: 'success' }>): void;
}
