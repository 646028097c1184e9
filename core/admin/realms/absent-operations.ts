import { type AdminOperation, ok } from '../operation.js';

/** What Keycloak's clients ask every realm for although this host has none of it: answered as empty, not as an error. */
export function absentOperations(): AdminOperation[] {
  const none = (path: string, summary: string, body: unknown, tag = 'Realms Admin'): AdminOperation => ({
    method: 'GET',
    path,
    tag,
    summary,
    roles: ['view-realm'],
    answers: { status: 200 },
    handle: () => ok(body),
  });
  const PROFILES = { type: 'boolean', description: 'Adds an empty list of global ones.' } as const;
  return [
    {
      ...none('/client-policies/profiles', 'Client profiles that an import brought along', {}),
      query: { 'include-global-profiles': PROFILES },
      handle({ realm, query }) {
        const { profiles = [] } = (realm.representation.clientProfiles ?? {}) as { profiles?: unknown[] };
        return ok({ profiles, ...(query.boolean('include-global-profiles') === true ? { globalProfiles: [] } : {}) });
      },
    },
    {
      ...none('/client-policies/policies', 'Client policies that an import brought along', {}),
      query: { 'include-global-policies': PROFILES },
      handle({ realm, query }) {
        const { policies = [] } = (realm.representation.clientPolicies ?? {}) as { policies?: unknown[] };
        return ok({ policies, ...(query.boolean('include-global-policies') === true ? { globalPolicies: [] } : {}) });
      },
    },
    none('/client-types', 'Client types: none', { 'client-types': [], 'global-client-types': [] }),
    none('/credential-registrators', 'Required actions that register a credential: none', []),
    none('/organizations', 'Organizations: none', [], 'Organizations'),
    none('/organizations/count', 'How many organizations there are', 0, 'Organizations'),
    none('/organizations/members/{userId}/organizations', 'The organizations of a user: none', [], 'Organizations'),
  ];
}
