import type { Plugin } from '@keyhost/spi';
import { allowedOrigins, audience, audienceResolve, hardcodedClaim } from './client-mappers.js';
import { GERMAN_TEXTS } from './german-texts.js';
import { clientRoles, groupMembership, hardcodedRole, realmRoles, roleName } from './role-mappers.js';
import { acr, amr, nonce, requestedClaims, requestedValue, sessionNote, sessionState } from './session-mappers.js';
import { fullName, pairwiseSubject, subject, userAddress, userAttribute, userProperty } from './user-mappers.js';

/** Keycloak's protocol mappers, registered through the same SPI as those of plugins. */
export const protocolMappers: Plugin = {
  name: 'keyhost-protocol-mappers',
  api: 1,
  messages: { de: GERMAN_TEXTS },
  providers: [
    userProperty,
    userAttribute,
    fullName,
    userAddress,
    realmRoles,
    clientRoles,
    audienceResolve,
    audience,
    allowedOrigins,
    hardcodedClaim,
    groupMembership,
    acr,
    subject,
    sessionState,
    amr,
    nonce,
    requestedValue,
    sessionNote,
    hardcodedRole,
    roleName,
    pairwiseSubject,
    requestedClaims,
  ],
};
