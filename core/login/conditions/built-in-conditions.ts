import type { Plugin } from '@keyhost/spi';
import type { Users } from '../../users/users.js';
import { clientScope } from './client-scope.js';
import { credential } from './credential.js';
import { levelOfAuthentication } from './level-of-authentication.js';
import { subFlowExecuted } from './sub-flow-executed.js';
import { userAttribute } from './user-attribute.js';
import { userConfigured } from './user-configured.js';
import { userRole } from './user-role.js';

/** Keycloak's conditions, registered through the same SPI as those of plugins. */
export function builtInConditions(services: { users: Users }): Plugin {
  return {
    name: 'keyhost-conditions',
    api: 1,
    providers: [
      userConfigured,
      userRole(services),
      userAttribute(services),
      credential,
      clientScope,
      subFlowExecuted,
      levelOfAuthentication,
    ],
  };
}
