import { type AdminOperation, ok } from '../operation.js';

/** Requests of Keycloak's clients for features that this host lacks. They are answered as empty, not as errors. */
export function unsupportedOperations(): AdminOperation[] {
  const none = (path: string, summary: string, body: unknown, tag = 'Realms Admin'): AdminOperation => ({
    method: 'GET',
    path,
    tag,
    summary,
    roles: ['view-realm'],
    answers: { status: 200 },
    handle: () => ok(body),
  });
  return [
    none('/client-types', 'Client types: none', { 'client-types': [], 'global-client-types': [] }),
    none('/credential-registrators', 'Required actions that register a credential: none', []),
    none('/organizations', 'Organizations: none', [], 'Organizations'),
    none('/organizations/count', 'The number of organizations', 0, 'Organizations'),
    none('/organizations/members/{userId}/organizations', 'The organizations of a user: none', [], 'Organizations'),
  ];
}
