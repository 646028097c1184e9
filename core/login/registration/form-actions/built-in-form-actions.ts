import type { Plugin } from '@keyhost/spi';
import { type PasswordActionServices, passwordAction } from './password.js';
import { termsAction } from './terms.js';
import { userCreation } from './user-creation.js';

/** The parts of Keycloak's registration form, registered through the same SPI as those of plugins. */
export function builtInFormActions(services: PasswordActionServices & Parameters<typeof userCreation>[0]): Plugin {
  return {
    name: 'keyhost-form-actions',
    api: 1,
    providers: [userCreation(services), passwordAction(services), termsAction(services)],
  };
}
