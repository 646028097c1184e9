import type { Plugin } from '@keyhost/spi';
import { authorizationCode } from './authorization-code.js';
import { clientCredentials } from './client-credentials.js';
import { deviceCode } from './device-code.js';
import { password } from './password.js';
import { refreshToken } from './refresh-token.js';
import type { GrantServices } from './services.js';
import { tokenExchange } from './token-exchange.js';

/** The built-in grant types, registered through the same SPI as those of plugins. */
export function builtInGrants(services: GrantServices): Plugin {
  return {
    name: 'keyhost-grant-types',
    api: 1,
    providers: [
      authorizationCode(services),
      clientCredentials(services),
      deviceCode(services),
      password(services),
      refreshToken(services),
      tokenExchange(services),
    ],
  };
}
