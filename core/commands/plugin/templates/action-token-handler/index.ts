import { ActionTokenHandler, type Plugin, provide } from '@keyhost/spi';

/** The `typ` of its action tokens. */
export const TOKEN_TYPE = '__id__';

/** Asks users to confirm something by a link. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(ActionTokenHandler, {
      id: TOKEN_TYPE,
      claims: {
        type: 'object',
        properties: { request: { type: 'string', minLength: 1, maxLength: 100 } },
        required: ['request'],
      },
      eventType: 'EXECUTE_ACTION_TOKEN',
      defaultError: 'invalid_request',
      defaultMessage: 'invalidRequestMessage',
      realmConfig: {
        type: 'object',
        properties: {
          singleUse: { type: 'boolean', default: true, description: 'False: a link works until it expires.' },
          confirm: { type: 'boolean', default: false, description: 'True: browsers get a page with a button first.' },
        },
        additionalProperties: false,
      },
      open: () => ({
        create: (session, config) => ({
          reusable: async () => !config.singleUse,
          confirm: async () => config.confirm,

          /** Called before any effect: only a user with a verified email address may confirm. */
          async verify(_, { user }) {
            if (user.emailVerified) return undefined;
            return { error: 'not_allowed', message: 'invalidRequestMessage' };
          },

          async handle(token, { user, authenticationSession }) {
            await authenticationSession.setNote('request', String(token.claims.request));
            await session.store.put(`confirmed/${token.claims.request}`, user.id);
            return { body: { confirmed: token.claims.request ?? null } };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
