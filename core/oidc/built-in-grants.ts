import type { Plugin } from '@keyhost/spi';
import { authorizationCode } from './grants/authorization-code.js';
import { clientCredentials } from './grants/client-credentials.js';
import { deviceCode } from './grants/device-code.js';
import { password } from './grants/password.js';
import { refreshToken } from './grants/refresh-token.js';
import type { GrantServices } from './grants/services.js';
import { tokenExchange } from './grants/token-exchange.js';

/** The built-in grant types, through the same SPI as anyone's. */
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
