import { ClientAuthenticator, type Plugin, provide } from '@keyhost/spi';

/** Keyhost's own ways in which clients prove who they are, with Keycloak's words for them. */
const OWN = {
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

/** True for those that Keyhost checks itself. */
export function isOwnAuthenticator(type: string): type is keyof typeof OWN {
  return Object.hasOwn(OWN, type);
}

/** `ClientAuthentication` asks nobody: most token requests need one of them. */
async function notAsked(): Promise<never> {
  throw new Error('Keyhost checks clients of its own authenticators without a provider');
}

/** They as providers: what realms and admins know of them. */
export const builtInClientAuthenticators: Plugin = {
  name: 'keyhost-client-authenticators',
  api: 1,
  providers: Object.entries(OWN).map(([id, { authMethods, ...describe }]) =>
    provide(ClientAuthenticator, {
      id,
      describe,
      authMethods,
      open: () => ({ create: () => ({ authenticate: notAsked }) }),
    }),
  ),
};
