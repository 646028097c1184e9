import type { ClientChange, PolicyClientRequest } from './client-policy-events.js';
import type { PolicyConfig, PolicyProperty } from './property.js';

/** Whether a condition is met; undefined if it does not apply. */
export type Vote = boolean | undefined;

/** A built-in condition, which decides whether a policy applies (Keycloak's ClientPolicyConditionProvider). */
export interface ClientPolicyCondition {
  /** The same as in Keycloak. */
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
  /** Describes a mistake in a configuration that matches its properties; undefined if there is none. */
  findMistake?(config: PolicyConfig): string | undefined;
  /** Absent if the condition does not apply to requests. */
  request?(config: PolicyConfig, request: PolicyClientRequest): Vote;
  /** Absent if the condition does not apply to changes of clients. */
  change?(config: PolicyConfig, change: ClientChange): Vote;
}

/** The property that inverts a vote. Most conditions have it. */
export const NEGATIVE_LOGIC: PolicyProperty = {
  name: 'is-negative-logic',
  label: 'Negative Logic',
  helpText: 'On: the condition is met when it otherwise would not be.',
  type: 'boolean',
  defaultValue: false,
};

/** Returns a list of texts in a configuration; empty if it is missing. */
export function textList(config: PolicyConfig, name: string): readonly string[] {
  return (config[name] ?? []) as readonly string[];
}
