import type { JsonObject } from '../json-schema.js';
import { list } from './realm-parts.js';

/** The flows by which users of a test realm sign in before the steps of a plugin. */
export const LOGINS: readonly JsonObject[] = [
  flow('test browser', ['auth-username-password-form']),
  flow('test direct grant', ['direct-grant-validate-username', 'direct-grant-validate-password']),
];

/** The registration flow of a test realm, with the host's own actions and those of a plugin. */
export const REGISTRATION: readonly JsonObject[] = [
  {
    alias: 'test registration',
    providerId: 'basic-flow',
    topLevel: true,
    authenticationExecutions: [
      { authenticator: 'registration-page-form', flowAlias: 'test registration form', requirement: 'REQUIRED' },
    ],
  },
  {
    ...flow('test registration form', ['registration-user-creation', 'registration-password-action'], false),
    providerId: 'form-flow',
  },
];

/** True if one of the flows names the provider. */
export function namesProvider(flows: readonly JsonObject[], id: string): boolean {
  return flows.some((one) => list(one.authenticationExecutions).some(({ authenticator }) => authenticator === id));
}

/** A flow of these steps, all required. */
export function flow(alias: string, steps: readonly string[], topLevel = true): JsonObject {
  const empty = { alias, providerId: 'basic-flow', topLevel, authenticationExecutions: [] };
  return steps.reduce<JsonObject>((result, authenticator) => withEntry(result, { authenticator }), empty);
}

/** Returns the flow with one more entry, which is required unless the entry sets another requirement. */
export function withEntry(flow: JsonObject, entry: JsonObject): JsonObject {
  const entries = list(flow.authenticationExecutions);
  const priority = Math.max(0, ...entries.map((one) => Number(one.priority ?? 0))) + 1;
  const newEntry = { requirement: 'REQUIRED', ...entry, priority };
  return { ...flow, authenticationExecutions: [...entries, newEntry] };
}
