import type { ClientPolicyExecutor } from '../executor.js';
import { refusedByPolicy } from '../refuse.js';
import { subjectTokenOf } from './subject-token.js';

/** An exchanged token is of no scope that the token did not have that it is exchanged for. */
export const downscopeAssertionGrantEnforcer: ClientPolicyExecutor = {
  id: 'downscope-assertion-grant-enforcer',
  helpText: 'Limits the scopes of a token exchange to those of the subject token.',
  properties: [],
  requests: ['TOKEN_EXCHANGE_REQUEST'],
  request(_config, request) {
    const { scope } = subjectTokenOf(request, 'Assertion contains an invalid access token');
    const had = scopesOf(typeof scope === 'string' ? scope : '');
    const addedScopes = scopesOf(request.scope ?? '').filter((word) => !had.includes(word));
    if (addedScopes.length > 0) {
      const message = `Scopes [${addedScopes.join(', ')}] not present in the initial access token [${had.join(', ')}]`;
      throw refusedByPolicy('invalid_scope', message);
    }
    // Scopes that no token names are no less there for that.
    const unnamed = request.client.defaultScopes.filter(({ includeInTokenScope }) => !includeInTokenScope);
    request.effects?.narrowScope?.([...had, ...unnamed.map(({ name }) => name)]);
  },
};

function scopesOf(scope: string): string[] {
  return scope.split(' ').filter((word) => word !== '');
}
