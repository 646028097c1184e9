import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { subjectTokenOf } from './subject-token.js';

const NAME = 'claim-name';
const VALUE = 'allowed-value';

/**
 * Requires a claim in an exchanged token. Keyhost has one of Keycloak's two grants that accept a JWT: the token
 * exchange.
 */
export const jwtClaimEnforcer: ClientPolicyExecutor = {
  id: 'jwt-claim-enforcer',
  helpText: 'Requires a claim in the subject token of a token exchange.',
  properties: [
    {
      name: NAME,
      label: 'Claim Name',
      type: 'String',
      helpText: 'Name of the claim. If it is empty, all token exchanges are rejected.',
    },
    {
      name: VALUE,
      label: 'Allowed Value',
      type: 'String',
      helpText:
        'Regular expression (RE2). The claim, a text or a number, must match it entirely. If it is empty, any value is allowed.',
    },
  ],
  patternsIn: (config) => [allowedValue(config)].filter((pattern) => pattern !== ''),
  requests: ['TOKEN_EXCHANGE_REQUEST'],
  request(config, request, patterns) {
    const claims = subjectTokenOf(request, 'JWT is not valid');
    const { [NAME]: name } = config;
    if (typeof name !== 'string') throw refuse('Invalid configuration');
    const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (claim === undefined || claim === null) throw refuse(`Required claim '${name}' is missing from the token`);
    const pattern = allowedValue(config);
    if (pattern === '') return;
    if (typeof claim !== 'string' && typeof claim !== 'number') {
      throw refuse(`Value type for claim '${name}' not allowed`);
    }
    if (patterns.matches(pattern, String(claim)) !== true) throw refuse(`Value for claim '${name}' not allowed`);
  },
};

function allowedValue({ [VALUE]: value = '' }: Readonly<Record<string, unknown>>): string {
  return String(value).trim() === '' ? '' : String(value);
}

function refuse(description: string): Error {
  return policyRefusalError('invalid_request', description);
}
