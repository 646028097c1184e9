import { type AuthenticationStep, Authenticator, type Plugin, provide } from '@keyhost/spi';

/** The page of the step. */
const ask = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'House rules' },
    fields: [{ name: 'agree', label: { key: 'I agree to the house rules' }, type: 'checkbox' }],
    submit: { key: 'Continue' },
  },
} satisfies AuthenticationStep;
const done = { outcome: 'success', notes: { agreed: 'true' } } satisfies AuthenticationStep;

/** Asks once per user whether they agree to the house rules. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: '__id__',
      open: () => ({
        create: (session) => {
          const key = (userId: string) => `agreed/${userId}`;
          return {
            async authenticate({ user, form }) {
              if (user === undefined) return { outcome: 'attempted' };
              if ((await session.store.get(key(user.id))) === true) return done;
              // A password grant has no pages: the client says whether its user agreed.
              if (form?.agree !== 'on') return ask;
              await session.store.put(key(user.id), true);
              return done;
            },

            async action({ user }, { agree }) {
              if (user === undefined || agree !== 'on') {
                return { ...ask, error: 'rejected_by_user', message: { key: 'Not without your agreement.' } };
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
