import { type AuthenticationContext, type AuthenticationStep, Authenticator, provide } from '@keyhost/spi';

const ask: AuthenticationStep = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'Word' },
    fields: [{ name: 'word', label: { key: 'Word' }, type: 'text' }],
    submit: { key: 'doSubmit' },
  },
};
/** Right and wrong answers of the step, by the word that the user sends. */
const answers: Readonly<Record<string, (context: AuthenticationContext) => unknown>> = {
  right: () => ({ outcome: 'success', notes: { said: 'right' } }),
  fail: () => ({ outcome: 'failure', error: 'access_denied', message: { key: 'Not with {0}', params: ['x'] } }),
  known: () => ({ outcome: 'failure', error: 'access_denied', message: { key: 'consentDenied' } }),
  ask: () => ({ ...ask, error: 'invalid_word', message: { key: 'Another word, please' } }),
  throw: () => {
    throw new Error('secret-of-the-plugin');
  },
  hang: () => new Promise(() => {}),
  nothing: () => undefined,
  odd: () => ({ outcome: 'SUCCESS' }),
  attempted: () => ({ outcome: 'attempted' }),
  other: () => ({ outcome: 'success', userId: 'da5e0000-0000-4000-8000-000000000003' }),
  secret: ({ form }) => ({
    outcome: 'failure',
    error: 'access_denied',
    message: {
      key: Object.keys(form ?? {})
        .sort()
        .join(' '),
    },
  }),
};
const answer = (context: AuthenticationContext, word = '') =>
  (Object.hasOwn(answers, word) ? answers[word]?.(context) : ask) as AuthenticationStep;
export default {
  name: 'word',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'word',
      open: () => ({
        create: () => ({
          authenticate: async (context) => {
            if (context.user === undefined) throw new Error('no user');
            return context.form === undefined ? ask : answer(context, context.form.word);
          },
          action: async (context, { word }) => answer(context, word),
        }),
      }),
    }),
  ],
};
