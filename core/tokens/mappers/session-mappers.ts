import { buildClaim, NO_CLAIMS } from './mapped-claim.js';
import { defineMapper } from './mapper.js';
import {
  ACCESS_AND_INTROSPECTION,
  ACCESS_TOKEN,
  CLAIM_NAME,
  CLAIM_TYPE,
  EVERYWHERE,
  ID_TOKEN,
  TOKEN_RESPONSE,
  USERINFO,
} from './settings.js';

export const acr = defineMapper('oidc-acr-mapper', {
  describe: {
    displayName: 'Authentication Context Class Reference (ACR)',
    helpText: 'Maps the achieved LoA to the acr claim.',
  },
  settings: { ...ID_TOKEN, ...ACCESS_AND_INTROSPECTION },
  map: ({ session }) => (session.acr === undefined ? NO_CLAIMS : { acr: session.acr }),
});

export const amr = defineMapper('oidc-amr-mapper', {
  describe: {
    displayName: 'Authentication Method Reference (AMR)',
    helpText: "Adds the 'amr' claim (RFC 8176): the authentication methods of the login.",
  },
  settings: { ...ID_TOKEN, ...ACCESS_TOKEN },
  map: ({ session }) => (session.amr === undefined ? NO_CLAIMS : { amr: session.amr }),
});

export const sessionState = defineMapper('oidc-session-state-mapper', {
  describe: { displayName: 'Session State (session_state)', helpText: "Adds the 'session_state' claim." },
  settings: EVERYWHERE,
  map: ({ session }) => (session.id === undefined ? NO_CLAIMS : { session_state: session.id }),
});

export const nonce = defineMapper('oidc-nonce-backwards-compatible-mapper', {
  describe: {
    displayName: 'Nonce backwards compatible',
    helpText: 'Adds the nonce of the request to access and refresh tokens.',
  },
  settings: {},
  map: ({ session }) => (session.nonce === undefined ? NO_CLAIMS : { nonce: session.nonce }),
});

export const sessionNote = defineMapper('oidc-usersessionmodel-note-mapper', {
  describe: { displayName: 'User Session Note', helpText: 'Map a custom user session note to a token claim.' },
  settings: {
    'user.session.note': { type: 'string', title: 'User Session Note' },
    ...CLAIM_NAME,
    ...CLAIM_TYPE,
    ...EVERYWHERE,
    ...TOKEN_RESPONSE,
  },
  map({ config, session }) {
    const note = config['user.session.note'] ?? '';
    if (note === 'AUTH_TIME')
      return session.authTime === undefined ? NO_CLAIMS : buildClaim(config, String(session.authTime));
    return buildClaim(config, Object.hasOwn(session.notes, note) ? session.notes[note] : undefined);
  },
});

export const requestedValue = defineMapper('oidc-claims-param-value-idtoken-mapper', {
  describe: {
    displayName: 'Claims parameter with value ID Token',
    helpText: "Returns the value of an essential claim of the 'claims' parameter.",
  },
  settings: { ...CLAIM_NAME, ...ID_TOKEN },
  map({ config, session }) {
    const name = config['claim.name'] ?? '';
    const { requestedValues = {} } = session;
    return Object.hasOwn(requestedValues, name) ? { [name]: requestedValues[name] } : NO_CLAIMS;
  },
});

/** No effect: claims requested by name are returned with or without this mapper (`ClaimMapping.mapRequested`). */
export const requestedClaims = defineMapper('oidc-claims-param-token-mapper', {
  describe: {
    displayName: 'Claims parameter Token',
    helpText: "Has no effect: Keyhost always returns claims that the 'claims' parameter requests.",
  },
  settings: { ...ID_TOKEN, ...USERINFO },
  map: () => NO_CLAIMS,
});
