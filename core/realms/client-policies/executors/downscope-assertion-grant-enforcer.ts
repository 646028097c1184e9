import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { subjectTokenOf } from './subject-token.js';

/** A token exchange grants no scope that the subject token does not have. */
export const downscopeAssertionGrantEnforcer: ClientPolicyExecutor = {
  id: 'downscope-assertion-grant-enforcer',
  helpText: 'Limits the scopes of a token exchange to those of the subject token.',
  properties: [],
  requests: ['TOKEN_EXCHANGE_REQUEST'],
  request(_config, request) {
    const { scope } = subjectTokenOf(request, 'Assertion contains an invalid access token');
    const subjectScopes = scopesOf(typeof scope === 'string' ? scope : '');
    const addedScopes = scopesOf(request.scope ?? '').filter((word) => !subjectScopes.includes(word));
    if (addedScopes.length > 0) {
      const message = `Scopes [${addedScopes.join(', ')}] not present in the initial access token [${subjectScopes.join(', ')}]`;
      throw policyRefusalError('invalid_scope', message);
    }
    // Client scopes that are not included in the token's `scope` remain, because the subject token cannot list them.
    const unnamedScopes = request.client.defaultScopes.filter(({ includeInTokenScope }) => !includeInTokenScope);
    request.effects?.narrowScope?.([...subjectScopes, ...unnamedScopes.map(({ name }) => name)]);
  },
};

function scopesOf(scope: string): string[] {
  return scope.split(' ').filter((word) => word !== '');
}
