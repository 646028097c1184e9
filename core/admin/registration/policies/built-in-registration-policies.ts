import type { Plugin } from '@keyhost/spi';
import { allowedClientTemplates } from './allowed-client-templates.js';
import { allowedProtocolMappers } from './allowed-protocol-mappers.js';
import { clientDisabled } from './client-disabled.js';
import { consentRequired } from './consent-required.js';
import { maxClients } from './max-clients.js';
import { registrationWebOrigins } from './registration-web-origins.js';
import { scope } from './scope.js';
import { trustedHosts } from './trusted-hosts.js';

/** Keycloak's client registration policies, provided through the same SPI as those of plugins. */
export const builtInRegistrationPolicies: Plugin = {
  name: 'keyhost-registration-policies',
  api: 1,
  providers: [
    allowedClientTemplates,
    allowedProtocolMappers,
    clientDisabled,
    consentRequired,
    maxClients,
    registrationWebOrigins,
    scope,
    trustedHosts,
  ],
};
