import { textList } from '../condition.js';
import type { ClientPolicyExecutor } from '../executor.js';
import { policyRefusalError } from '../refuse.js';
import { CLIENT_URI_FIELDS, type ClientUriField, clientUris } from './client-uri-fields.js';

const PATTERNS = 'allowed-patterns';
const FIELDS = 'client-uri-fields';

/**
 * The addresses of a client must match one of these patterns. Keycloak ignores patterns and fields that it cannot read;
 * here they are mistakes.
 */
export const secureClientUrisPattern: ClientPolicyExecutor = {
  id: 'secure-client-uris-pattern',
  helpText: 'Requires clients whose addresses match one of these regular expressions.',
  properties: [
    {
      name: PATTERNS,
      label: 'Allowed URI Patterns',
      type: 'MultivaluedString',
      helpText:
        'Regular expressions (RE2). An address must match one of them entirely. If the list is empty, none does.',
    },
    {
      name: FIELDS,
      label: 'Client URI Fields to validate',
      type: 'MultivaluedList',
      options: CLIENT_URI_FIELDS,
      helpText: 'Fields of the client whose addresses must match. If the list is empty, all fields are checked.',
    },
  ],
  patternsIn: (config) => textList(config, PATTERNS),
  change(config, { event, client, sent }, patterns) {
    const allowedPatterns = textList(config, PATTERNS);
    const selectedFields = textList(config, FIELDS) as readonly ClientUriField[];
    for (const field of selectedFields.length === 0 ? CLIENT_URI_FIELDS : selectedFields) {
      // A new client without web origins gets them from its redirect URIs. Keycloak checks only the sent ones.
      if (field === 'webOrigins' && event === 'REGISTER' && !sent.webOrigins) continue;
      const addresses = clientUris(client, field);
      if (addresses.length === 0) continue;
      if (allowedPatterns.length === 0) throw refuse(`Invalid ${field}: No valid allowed patterns configured`);
      for (const address of addresses) {
        if (!allowedPatterns.some((pattern) => patterns.matches(pattern, address) === true))
          throw refuse(`Invalid ${field}`);
      }
    }
  },
};

function refuse(description: string): Error {
  return policyRefusalError('invalid_client_metadata', description);
}
