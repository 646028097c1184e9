import { ClientAuthenticator, type ClientProof, provide } from '@keyhost/spi';
export default {
  name: 'words',
  api: 1,
  providers: [
    provide(ClientAuthenticator, {
      id: 'word',
      authMethods: ['word_once'],
      parameters: ['word', 'number'],
      describe: { displayName: 'Word', helpText: 'A word of the client.' },
      settings: {
        type: 'object',
        required: ['word'],
        properties: { word: { type: 'string', minLength: 4, title: 'Word' } },
      },
      open: () => ({
        create: (session) => ({
          async authenticate({ client, form, authorization, audiences }) {
            if (form.word === 'throws') throw new Error('the list of words is away');
            if (form.word === 'nonsense') return { outcome: 'perhaps' } as unknown as ClientProof;
            if (Object.keys(form).some((name) => !['word', 'number'].includes(name)) || authorization)
              return { outcome: 'failure' };
            if (audiences[0] !== client.attributes.issuer && client.attributes.issuer) return { outcome: 'failure' };
            if (form.word === undefined) return { outcome: 'failure', description: 'word is missing' };
            if (form.word !== client.attributes.word) return { outcome: 'failure' };
            const once = form.number && { key: form.number, expiresAt: session.clock.now() / 1000 + 60 };
            return { outcome: 'success', ...(once ? { once } : {}) };
          },
        }),
      }),
    }),
  ],
};
