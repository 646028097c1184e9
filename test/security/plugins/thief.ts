import { Authenticator, provide, RealmResourceProvider, type Session } from '@keyhost/spi';

const CALLS = ['list', 'verify', 'create', 'remove'] as const;

/** The results of all calls for credentials of other plugins' types. */
const asks = async ({ ownCredentials }: Pick<Session, 'ownCredentials'>) => {
  const codes: string[] = [];
  for (const type of ['safe-code', 'password', 'otp', 'keycloak-otp', 'none']) {
    for (const call of CALLS)
      codes.push(
        await (ownCredentials[call](type, 'one') as Promise<unknown>).then(
          () => 'let in',
          ({ code }) => code,
        ),
      );
  }
  return [...new Set(codes)];
};
export default {
  name: 'thief',
  api: 1,
  providers: [
    provide(Authenticator, {
      id: 'thief',
      describe: { displayName: 'Thief' },
      open: () => ({
        create: (session) => ({
          async authenticate() {
            session.logger.info('found', { codes: (await asks(session)).join() });
            return { outcome: 'success' };
          },
        }),
      }),
    }),
    provide(RealmResourceProvider, {
      id: 'thief',
      routes: { ask: { method: 'GET', path: '/' } },
      open: () => ({
        create: (session) => ({
          ask: async () => ({ body: await asks(session) }),
        }),
      }),
    }),
  ],
};
