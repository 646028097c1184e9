import { type Plugin, provide, RequiredAction, type RequiredActionStep } from '@keyhost/spi';

/** The page of the action. */
const ask = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'What shall we call you?' },
    fields: [{ name: 'nickname', label: { key: 'Nickname' }, type: 'text' }],
    submit: { key: 'Continue' },
  },
} satisfies RequiredActionStep;

/** Asks users for a nickname after their first login. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(RequiredAction, {
      id: '__id__',
      displayText: 'Choose a nickname',
      initiable: true,
      open: () => ({
        create: () => ({
          async triggered({ attributes }) {
            return attributes.nickname === undefined;
          },

          async challenge() {
            return ask;
          },

          async action(_, { nickname = '' }) {
            const name = nickname.trim();
            if (name === '' || name.length > 40) {
              return { ...ask, error: 'invalid_input', message: { key: 'One to forty characters, please.' } };
            }
            return { outcome: 'success', attributes: { nickname: [name] } };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
