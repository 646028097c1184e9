import type { ClientChange, ClientRequest } from './happenings.js';
import type { PolicyConfig, PolicyProperty } from './property.js';

/** Whether something is what a policy is for; undefined where a condition has no say in it. */
export type Vote = boolean | undefined;

/** When a policy applies (Keycloak's ClientPolicyConditionProvider). */
export interface ClientPolicyCondition {
  /** Keycloak's. */
  readonly id: string;
  readonly helpText: string;
  readonly properties: readonly PolicyProperty[];
  /** What is wrong with a configuration that fits its properties. */
  mistake?(config: PolicyConfig): string | undefined;
  /** Absent: it has no say in requests. */
  request?(config: PolicyConfig, request: ClientRequest): Vote;
  /** Absent: it has no say in changes of clients. */
  change?(config: PolicyConfig, change: ClientChange): Vote;
}

/** Turns a vote around. Every condition has it. */
export const NEGATIVE_LOGIC: PolicyProperty = {
  name: 'is-negative-logic',
  label: 'Negative Logic',
  helpText: 'On: the condition is met when it otherwise would not be.',
  type: 'boolean',
  defaultValue: false,
};

/** A list of texts in a configuration; empty where none is said. */
export function texts(config: PolicyConfig, name: string): readonly string[] {
  return (config[name] ?? []) as readonly string[];
}
