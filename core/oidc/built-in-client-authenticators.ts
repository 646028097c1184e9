import { ClientAuthenticator, OAuthError, type Plugin, provide } from '@keyhost/spi';
import { Form } from '../http/form.js';
import type { HostSession } from '../registry/sessions/host-session.js';
import type { ClientAuthentication } from './client-authentication.js';

/** The built-in methods of client authentication, with Keycloak's texts. */
const BUILT_IN_METHODS = {
  'client-secret': {
    displayName: 'Client Id and Secret',
    helpText: "Validates client based on 'client_id' and 'client_secret'",
    authMethods: ['client_secret_basic', 'client_secret_post'],
  },
  'client-jwt': {
    displayName: 'Signed JWT',
    helpText: 'Validates client based on signed JWT issued by client and signed with the Client private key',
    authMethods: ['private_key_jwt'],
  },
  'client-secret-jwt': {
    displayName: 'Signed JWT with Client Secret',
    helpText: 'Validates client based on signed JWT issued by client and signed with the Client Secret',
    authMethods: ['client_secret_jwt'],
  },
} as const;

/** True for a built-in method. */
export function isBuiltInAuthenticator(type: string): type is keyof typeof BUILT_IN_METHODS {
  return Object.hasOwn(BUILT_IN_METHODS, type);
}

/**
 * The built-in methods as providers. `ClientAuthentication` itself checks them without a session, because most token
 * requests need it.
 */
export function builtInClientAuthenticators(clients: Pick<ClientAuthentication, 'authenticate'>): Plugin {
  return {
    name: 'keyhost-client-authenticators',
    api: 1,
    providers: Object.entries(BUILT_IN_METHODS).map(([id, { authMethods, ...describe }]) =>
      provide(ClientAuthenticator, {
        id,
        describe,
        authMethods,
        open: () => ({
          create: (session) => ({
            async authenticate({ client: { clientId }, form, authorization }) {
              const credentials = new Form(Object.entries({ ...form, client_id: clientId }));
              try {
                await clients.authenticate((session as HostSession).compiledRealm, credentials, { authorization });
                return { outcome: 'success' };
              } catch (error) {
                if (!(error instanceof OAuthError)) throw error;
                return { outcome: 'failure', description: error.message };
              }
            },
          }),
        }),
      }),
    ),
  };
}
