import { buildClaim, NO_CLAIMS } from './mapped-claim.js';
import { defineMapper } from './mapper.js';
import { ACCESS_AND_INTROSPECTION, CLAIM_NAME, CLAIM_TYPE, EVERYWHERE, ID_TOKEN, TOKEN_RESPONSE } from './settings.js';

export const audienceResolve = defineMapper('oidc-audience-resolve-mapper', {
  describe: {
    displayName: 'Audience Resolve',
    helpText: 'Adds all client_ids of clients of which the user has a role to the audience of the token.',
  },
  settings: ACCESS_AND_INTROSPECTION,
  map({ client, clientRoles }) {
    const audience = Object.keys(clientRoles).filter((clientId) => clientId !== client.clientId);
    return audience.length === 0 ? NO_CLAIMS : { aud: audience };
  },
});

export const audience = defineMapper('oidc-audience-mapper', {
  describe: { displayName: 'Audience', helpText: 'Add specified audience to the audience (aud) field of token' },
  settings: {
    'included.client.audience': { type: 'string', format: 'client', title: 'Included Client Audience' },
    'included.custom.audience': { type: 'string', title: 'Included Custom Audience' },
    ...ID_TOKEN,
    ...ACCESS_AND_INTROSPECTION,
  },
  map({ config }) {
    const audience = config['included.client.audience'] || config['included.custom.audience'];
    return audience ? { aud: [audience] } : NO_CLAIMS;
  },
});

export const allowedOrigins = defineMapper('oidc-allowed-origins-mapper', {
  describe: {
    displayName: 'Allowed Web Origins',
    helpText: "Adds all allowed web origins to the 'allowed-origins' claim.",
  },
  settings: ACCESS_AND_INTROSPECTION,
  map: ({ webOrigins }) => (webOrigins.length === 0 ? NO_CLAIMS : { 'allowed-origins': webOrigins }),
});

export const hardcodedClaim = defineMapper('oidc-hardcoded-claim-mapper', {
  describe: { displayName: 'Hardcoded claim', helpText: 'Hardcode a claim into the token.' },
  settings: {
    ...CLAIM_NAME,
    'claim.value': { type: 'string', title: 'Claim value' },
    ...CLAIM_TYPE,
    ...EVERYWHERE,
    ...TOKEN_RESPONSE,
  },
  map: ({ config }) => buildClaim(config, config['claim.value']),
});
