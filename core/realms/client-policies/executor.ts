import type { Patterns } from '../../model/patterns.js';
import type { ClientChange, ClientRequest, RequestEvent } from './happenings.js';
import type { PolicyConfig, PolicyProperty } from './property.js';

/** What a profile asks of clients (Keycloak's ClientPolicyExecutorProvider). */
export interface ClientPolicyExecutor {
  /** Keycloak's. */
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
  /** What is wrong with a configuration that fits its properties. */
  mistake?(config: PolicyConfig): string | undefined;
  /** Patterns in a configuration that fits its properties: they are checked when it is written, and fit nothing when they cannot be used. */
  patternsIn?(config: PolicyConfig): readonly string[];
  /** The requests that it judges: those that it judges in Keycloak. */
  readonly requests?: readonly RequestEvent[];
  /** @throws OAuthError */
  request?(config: PolicyConfig, request: ClientRequest, patterns: Patterns): void;
  /**
   * Judges a client that is created or changed, after it was configured where the profile says so.
   * @throws OAuthError
   */
  change?(config: PolicyConfig, change: ClientChange, patterns: Patterns): void;
  /** A new secret was asked for and is there: what becomes of the one before. */
  renewed?(config: PolicyConfig, change: ClientChange): void;
}

/** The switch of executors that put a client right themselves. */
export function autoConfigure(defaultValue: boolean, what: string): PolicyProperty {
  return {
    name: 'auto-configure',
    label: 'Auto-configure',
    helpText: `On: Keyhost sets ${what} when a client is created or updated. Off: a client without it is rejected.`,
    type: 'boolean',
    defaultValue,
  };
}
