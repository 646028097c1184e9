import { type AuthenticationContext, type AuthenticationStep, Authenticator, type Plugin, provide } from '@keyhost/spi';

const AGREEMENT = 'I agree to the house rules';

/** The page of the step, with texts from its settings in the realm. */
const ask = ({ config }: AuthenticationContext) =>
  ({
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 'House rules' },
      fields: [{ name: 'agree', label: { key: config.agreement || AGREEMENT }, type: 'checkbox' }],
      submit: { key: 'Continue' },
    },
  }) satisfies AuthenticationStep;
const done = { outcome: 'success', notes: { agreed: 'true' } } satisfies AuthenticationStep;

/** Asks each user once to accept the house rules. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: '__id__',
      describe: { displayName: 'House rules', helpText: 'Asks users once whether they agree to the house rules.' },
      settings: {
        type: 'object',
        properties: {
          agreement: {
            type: 'string',
            title: 'Agreement',
            description: 'Label of the checkbox.',
            default: AGREEMENT,
          },
        },
      },
      open: () => ({
        create: (session) => {
          const key = (userId: string) => `agreed/${userId}`;
          return {
            async authenticate(context) {
              const { user, form } = context;
              if (user === undefined) return { outcome: 'attempted' };
              if ((await session.store.get(key(user.id))) === true) return done;
              // A password grant has no pages, so the client sends the user's consent.
              if (form?.agree !== 'on') return ask(context);
              await session.store.put(key(user.id), true);
              return done;
            },

            async action(context, { agree }) {
              const { user } = context;
              if (user === undefined || agree !== 'on') {
                return { ...ask(context), error: 'rejected_by_user', message: { key: 'Not without your agreement.' } };
              }
              await session.store.put(key(user.id), true);
              return done;
            },
          };
        },
      }),
    }),
  ],
} satisfies Plugin;
