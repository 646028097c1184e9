import { Authenticator, CredentialProvider, type Json, provide, RequiredAction, type StepPage } from '@keyhost/spi';

const page = (key: string) => ({
  outcome: 'challenge' as const,
  page: {
    page: 'form',
    title: { key },
    submit: { key: 'doSubmit' },
    fields: [{ name: 'code', type: 'password', label: { key: 'Code' } }],
  } satisfies StepPage,
});
/** The answer of a faulty provider to this input; undefined for an ordinary one. */
const fault = async <T>(input: Json | undefined): Promise<T | undefined> => {
  if (input === 'throws') throw new Error('the safe is away');
  if (input === 'nonsense') return { nonsense: true } as T;
  if (input === 'swells') return { valid: true, changed: { data: { codes: 'x'.repeat(10_000) } } } as T;
  if (input === 'dies') process.exit(1);
  if (input === 'hangs') return new Promise<never>(() => {});
  return undefined;
};
const stored = (codes: readonly string[]) => ({ secret: { codes }, data: { left: codes.length } });
export default {
  name: 'safes',
  api: 1,
  messages: { en: { safe: 'Safe' }, de: { safe: 'Tresor' } },
  providers: [
    provide(CredentialProvider, {
      id: 'safe-code',
      describe: { displayName: '${safe}', helpText: 'Codes of a safe.' },
      category: 'two-factor',
      createAction: 'safe-setup',
      iconCssClass: 'safe',
      open: () => ({
        create: () => ({
          create: async ({ input }) => (await fault<never>(input)) ?? stored(String(input).split(' ')),
          async verify({ credential, input }) {
            const wrong = await fault<never>(input);
            if (wrong !== undefined) return wrong;
            const codes = credential.secret.codes as string[];
            return codes.includes(String(input))
              ? { valid: true, changed: stored(codes.filter((code) => code !== input)) }
              : { valid: false };
          },
          present: async ({ label, data }) =>
            (await fault<never>(label)) ?? { label: 'Some <b>safe', data: { remaining: data.left ?? null } },
        }),
      }),
    }),
    provide(Authenticator, {
      id: 'safe-form',
      describe: { displayName: 'Safe', proves: true },
      open: () => ({
        create: ({ ownCredentials }) => ({
          configuredFor: async () => (await ownCredentials.list('safe-code')).length > 0,
          authenticate: async ({ user }) => (user ? page('Open the safe') : { outcome: 'attempted' }),
          async action({ user }, { code = '' }) {
            if (code === 'make me one') await ownCredentials.create('safe-code', 'mine');
            if (code === 'empty it')
              for (const { id } of await ownCredentials.list('safe-code')) await ownCredentials.remove('safe-code', id);
            const [word = '', id] = code.split('@');
            const verdict = await ownCredentials.verify('safe-code', word, id === undefined ? {} : { id });
            if (verdict.valid) return { outcome: 'success', credentialType: 'safe-code' };
            return {
              ...page('Open the safe'),
              message: { key: 'That is not it.' },
              error: verdict.error,
              userId: user?.id,
            };
          },
        }),
      }),
    }),
    provide(RequiredAction, {
      id: 'safe-setup',
      displayText: 'Set up a safe',
      initiable: true,
      open: () => ({
        create: ({ ownCredentials }) => ({
          challenge: async () => page('New safe'),
          async action(_, { code = '' }) {
            if (code.startsWith('take ')) await ownCredentials.remove('safe-code', code.slice(5));
            else if (code === 'none')
              for (const { id } of await ownCredentials.list('safe-code')) await ownCredentials.remove('safe-code', id);
            else await ownCredentials.create('safe-code', code, code.startsWith('named') ? { label: ' Mine ' } : {});
            return { outcome: 'success' };
          },
        }),
      }),
    }),
  ],
};
