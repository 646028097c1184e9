import { autoConfigure, type ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';

const METHOD = 'pkce.code.challenge.method';
const CHALLENGE = /^[A-Za-z0-9\-._~]{43,128}$/;

/** Proof Key for Code Exchange with S256 (RFC 7636), for all types of clients. */
export const pkceEnforcer: ClientPolicyExecutor = {
  id: 'pkce-enforcer',
  helpText: 'Requires PKCE with S256 for logins.',
  properties: [autoConfigure(false, 'the code challenge method S256')],
  requests: ['AUTHORIZATION_REQUEST', 'TOKEN_REQUEST'],
  request(_config, { event, parameter }) {
    if (event === 'TOKEN_REQUEST') {
      // A plugin's grant has no code.
      if (parameter('code_verifier') !== undefined || parameter('grant_type') !== 'authorization_code') return;
      throw policyRefusalError('invalid_grant', 'PKCE code verifier not specified');
    }
    const method = parameter('code_challenge_method');
    const challenge = parameter('code_challenge');
    const refuse = (description: string) => policyRefusalError('invalid_request', description);
    if (method === undefined) throw refuse('Missing parameter: code_challenge_method');
    if (method !== 'S256') throw refuse('Invalid parameter: invalid code_challenge_method');
    if (challenge === undefined) throw refuse('Missing parameter: code_challenge');
    if (!CHALLENGE.test(challenge)) throw refuse('Invalid parameter: code_challenge');
  },
  change({ 'auto-configure': isAuto }, { client }) {
    if (isAuto === true) client.attributes = { ...client.attributes, [METHOD]: 'S256' };
    if (client.attributes?.[METHOD] === 'S256') return;
    throw policyRefusalError('invalid_client_metadata', 'Invalid client metadata: code_challenge_method');
  },
};
