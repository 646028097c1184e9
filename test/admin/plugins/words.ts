import { ClientAuthenticator, type ClientAuthenticatorProvider, type ClientView, provide } from '@keyhost/spi';

const says = (name: string, expected: (client: ClientView) => string | undefined) => ({
  open: () => ({
    create: (): ClientAuthenticatorProvider => ({
      async authenticate({ client, form }) {
        return { outcome: form[name] === expected(client) ? 'success' : 'failure' };
      },
    }),
  }),
});
export default {
  name: 'words',
  api: 1,
  providers: [
    provide(ClientAuthenticator, {
      id: 'badge',
      authMethods: ['badge_post', 'badge_header', 'client_secret_post'],
      parameters: ['badge'],
      ...says('badge', () => 'shown'),
    }),
    provide(ClientAuthenticator, {
      id: 'word',
      authMethods: ['word_once', 'badge_post'],
      parameters: ['word'],
      settings: { type: 'object', required: ['word'], properties: { word: { type: 'string', minLength: 4 } } },
      ...says('word', (client) => client.attributes.word),
    }),
  ],
};
