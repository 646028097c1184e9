import { CredentialProvider, provide, RequiredAction } from '@keyhost/spi';

const none = async () => {
  throw new Error('not called');
};
export default {
  name: 'cards',
  api: 1,
  providers: [
    provide(CredentialProvider, {
      id: 'card',
      describe: { displayName: 'Card' },
      category: 'passwordless',
      createAction: 'card-setup',
      open: () => ({ create: () => ({ create: none, verify: none }) }),
    }),
    provide(RequiredAction, {
      id: 'card-setup',
      displayText: 'Set up a card',
      initiable: true,
      open: () => ({ create: () => ({ challenge: none, action: none }) }),
    }),
  ],
};
