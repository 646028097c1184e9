import type { Patterns } from '../../model/patterns.js';
import type { ClientChange, PolicyClientRequest, RequestEvent } from './client-policy-events.js';
import type { PolicyConfig, PolicyProperty } from './property.js';

/** A built-in executor: a requirement of a profile for clients (Keycloak's ClientPolicyExecutorProvider). */
export interface ClientPolicyExecutor {
  /** The same as in Keycloak. */
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
  /** Describes a mistake in a configuration that matches its properties; undefined if there is none. */
  findMistake?(config: PolicyConfig): string | undefined;
  /**
   * Patterns in a configuration that matches its properties. They are checked when it is written, and match nothing if
   * they cannot be used.
   */
  patternsIn?(config: PolicyConfig): readonly string[];
  /** The events that it handles: the same as in Keycloak. */
  readonly requests?: readonly RequestEvent[];
  /**
   * Checks a request.
   * @throws OAuthError if it is refused
   */
  request?(config: PolicyConfig, request: PolicyClientRequest, patterns: Patterns): void;
  /**
   * Checks a client that is created or changed, after the executor has configured it if the profile demands this.
   * @throws OAuthError
   */
  change?(config: PolicyConfig, change: ClientChange, patterns: Patterns): void;
  /** Called when a client has got a new secret on request. Decides what becomes of the previous one. */
  onSecretRenewed?(config: PolicyConfig, change: ClientChange): void;
}

/** Returns the switch of executors that can configure a client themselves. */
export function autoConfigure(defaultValue: boolean, noun: string): PolicyProperty {
  return {
    name: 'auto-configure',
    label: 'Auto-configure',
    helpText: `On: Keyhost sets ${noun} when a client is created or updated. Off: a client without it is rejected.`,
    type: 'boolean',
    defaultValue,
  };
}
