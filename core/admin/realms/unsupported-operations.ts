import { type AdminOperation, ok } from '../operation.js';

/** Operations that Keycloak's clients call for unsupported features. They return empty results instead of errors. */
export function unsupportedOperations(): AdminOperation[] {
  const emptyOperation = (path: string, summary: string, body: unknown, tag = 'Realms Admin'): AdminOperation => ({
    method: 'GET',
    path,
    tag,
    summary,
    roles: ['view-realm'],
    answers: { status: 200 },
    handle: () => ok(body),
  });
  return [
    emptyOperation('/client-types', 'Client types: none', { 'client-types': [], 'global-client-types': [] }),
    emptyOperation('/credential-registrators', 'Required actions that register a credential: none', []),
    emptyOperation('/organizations', 'Organizations: none', [], 'Organizations'),
    emptyOperation('/organizations/count', 'The number of organizations', 0, 'Organizations'),
    emptyOperation(
      '/organizations/members/{userId}/organizations',
      'The organizations of a user: none',
      [],
      'Organizations',
    ),
  ];
}
