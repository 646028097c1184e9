import { claim, NOTHING } from './mapped-claim.js';
import { mapper } from './mapper.js';
import { ACCESS, CLAIM, EVERYWHERE, ID, IN_ACCESS, RESPONSE, TYPE, USERINFO } from './settings.js';

export const acr = mapper('oidc-acr-mapper', {
  describe: {
    displayName: 'Authentication Context Class Reference (ACR)',
    helpText: 'Maps the achieved LoA to the acr claim.',
  },
  settings: { ...ID, ...IN_ACCESS },
  map: ({ session }) => (session.acr === undefined ? NOTHING : { acr: session.acr }),
});

export const amr = mapper('oidc-amr-mapper', {
  describe: {
    displayName: 'Authentication Method Reference (AMR)',
    helpText: "Adds the 'amr' claim (RFC 8176): the authentication methods of the login.",
  },
  settings: { ...ID, ...ACCESS },
  map: ({ session }) => (session.amr === undefined ? NOTHING : { amr: session.amr }),
});

export const sessionState = mapper('oidc-session-state-mapper', {
  describe: { displayName: 'Session State (session_state)', helpText: "Adds the 'session_state' claim." },
  settings: EVERYWHERE,
  map: ({ session }) => (session.id === undefined ? NOTHING : { session_state: session.id }),
});

export const nonce = mapper('oidc-nonce-backwards-compatible-mapper', {
  describe: {
    displayName: 'Nonce backwards compatible',
    helpText: 'Adds the nonce of the request to access and refresh tokens.',
  },
  settings: {},
  map: ({ session }) => (session.nonce === undefined ? NOTHING : { nonce: session.nonce }),
});

export const sessionNote = mapper('oidc-usersessionmodel-note-mapper', {
  describe: { displayName: 'User Session Note', helpText: 'Map a custom user session note to a token claim.' },
  settings: {
    'user.session.note': { type: 'string', title: 'User Session Note' },
    ...CLAIM,
    ...TYPE,
    ...EVERYWHERE,
    ...RESPONSE,
  },
  map({ config, session }) {
    const note = config['user.session.note'] ?? '';
    if (note === 'AUTH_TIME') return session.authTime === undefined ? NOTHING : claim(config, String(session.authTime));
    return claim(config, Object.hasOwn(session.notes, note) ? session.notes[note] : undefined);
  },
});

export const requestedValue = mapper('oidc-claims-param-value-idtoken-mapper', {
  describe: {
    displayName: 'Claims parameter with value ID Token',
    helpText: "Returns the value of an essential claim of the 'claims' parameter.",
  },
  settings: { ...CLAIM, ...ID },
  map({ config, session }) {
    const name = config['claim.name'] ?? '';
    const { requestedValues = {} } = session;
    return Object.hasOwn(requestedValues, name) ? { [name]: requestedValues[name] } : NOTHING;
  },
});

/** Claims requested by name are always returned, with or without this mapper (`ClaimMapping.wanted`). */
export const requestedClaims = mapper('oidc-claims-param-token-mapper', {
  describe: {
    displayName: 'Claims parameter Token',
    helpText: "Has no effect: Keyhost always returns claims that the 'claims' parameter requests.",
  },
  settings: { ...ID, ...USERINFO },
  map: () => NOTHING,
});
