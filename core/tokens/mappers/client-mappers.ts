import { claim, NOTHING } from './mapped-claim.js';
import { mapper } from './mapper.js';
import { CLAIM, EVERYWHERE, ID, IN_ACCESS, RESPONSE, TYPE } from './settings.js';

export const audienceResolve = mapper('oidc-audience-resolve-mapper', {
  describe: {
    displayName: 'Audience Resolve',
    helpText: 'Adds all client_ids of clients of which the user has a role to the audience of the token.',
  },
  settings: IN_ACCESS,
  map({ client, clientRoles }) {
    const audience = Object.keys(clientRoles).filter((clientId) => clientId !== client.clientId);
    return audience.length === 0 ? NOTHING : { aud: audience };
  },
});

export const audience = mapper('oidc-audience-mapper', {
  describe: { displayName: 'Audience', helpText: 'Add specified audience to the audience (aud) field of token' },
  settings: {
    'included.client.audience': { type: 'string', format: 'client', title: 'Included Client Audience' },
    'included.custom.audience': { type: 'string', title: 'Included Custom Audience' },
    ...ID,
    ...IN_ACCESS,
  },
  map({ config }) {
    const audience = config['included.client.audience'] || config['included.custom.audience'];
    return audience ? { aud: [audience] } : NOTHING;
  },
});

export const allowedOrigins = mapper('oidc-allowed-origins-mapper', {
  describe: {
    displayName: 'Allowed Web Origins',
    helpText: "Adds all allowed web origins to the 'allowed-origins' claim.",
  },
  settings: IN_ACCESS,
  map: ({ webOrigins }) => (webOrigins.length === 0 ? NOTHING : { 'allowed-origins': webOrigins }),
});

export const hardcodedClaim = mapper('oidc-hardcoded-claim-mapper', {
  describe: { displayName: 'Hardcoded claim', helpText: 'Hardcode a claim into the token.' },
  settings: { ...CLAIM, 'claim.value': { type: 'string', title: 'Claim value' }, ...TYPE, ...EVERYWHERE, ...RESPONSE },
  map: ({ config }) => claim(config, config['claim.value']),
});
