import { type AuthenticationContext, type AuthenticationStep, Authenticator, HostError, provide } from '@keyhost/spi';

const ask: AuthenticationStep = {
  outcome: 'challenge',
  page: {
    page: 'form',
    title: { key: 'second' },
    fields: [{ name: 'word', label: { key: 'word' }, type: 'text' }],
    submit: { key: 'doSubmit' },
  },
};
/** Right and wrong answers of the step, by the word that the user sends. */
const answers: Readonly<Record<string, () => unknown>> = {
  right: () => ({ outcome: 'success' }),
  fail: () => ({ outcome: 'failure', error: 'access_denied', message: { key: 'accessDenied' } }),
  throw: () => {
    throw new Error('secret-of-the-plugin');
  },
  refuse: () => {
    throw new HostError('card_blocked', 'Your card is blocked', { status: 403 });
  },
  hang: () => new Promise(() => {}),
  nothing: () => undefined,
  odd: () => ({ outcome: 'SUCCESS' }),
  empty: () => ({}),
  pageless: () => ({ outcome: 'challenge' }),
  wordless: () => ({ outcome: 'failure', error: 'access_denied' }),
  misspelt: () => ({ outcome: 'success', userid: 'a11ce000-0000-4000-8000-000000000001' }),
  fieldless: () => ({
    outcome: 'challenge',
    page: {
      page: 'form',
      title: { key: 't' },
      submit: { key: 'doSubmit' },
      fields: [{ name: 'a', label: 'A', type: 'txt' }],
    },
  }),
  attempted: () => ({ outcome: 'attempted' }),
  other: () => ({ outcome: 'success', userId: 'da5e0000-0000-4000-8000-000000000003' }),
};
const answer = (word: string) => answers[word]?.() as AuthenticationStep;
const step = (id: string, authenticate: (context: AuthenticationContext) => Promise<AuthenticationStep>) =>
  provide(Authenticator, {
    id,
    open: () => ({
      create: () => ({
        authenticate,
        action: async (_context, { word = '' }) => (Object.hasOwn(answers, word) ? answer(word) : ask),
      }),
    }),
  });
export default {
  name: 'second',
  api: 1,
  providers: [
    step('second', async ({ user }) => {
      if (user === undefined) throw new Error('no user');
      return ask;
    }),
    step('conditional-second', async () => ask),
    ...Object.keys(answers).map((word) => step(`second-${word}`, async () => answer(word))),
  ],
};
