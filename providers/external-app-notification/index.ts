import { ActionTokenHandler, type Plugin, provide } from '@keyhost/spi';
import { MESSAGES } from './messages.js';

/** The `typ` of the action tokens that this handler serves. */
export const TOKEN_TYPE = 'external-app-notification';

/** The note that marks an authentication session that a link began. */
export const INITIATED_BY_ACTION_TOKEN_EXT_APP = 'INITIATED_BY_ACTION_TOKEN_EXT_APP';

/** The custom claim with the application's name. */
const APP_ID = 'app-id';

/** The prefix of the scope that opens one application's item. */
const SCOPE_PREFIX = 'newsletterscope';

export default {
  name: '@keyhost/external-app-notification',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(ActionTokenHandler, {
      id: TOKEN_TYPE,
      claims: {
        type: 'object',
        properties: {
          [APP_ID]: {
            type: 'string',
            pattern: '^[A-Za-z0-9._-]{1,64}$',
            mustBe: '1 to 64 letters, digits, dots, underscores and hyphens',
          },
        },
        required: [APP_ID],
      },
      eventType: 'EXECUTE_ACTION_TOKEN',
      defaultError: 'invalid_request',
      defaultMessage: 'invalidRequestMessage',
      realmConfig: {
        type: 'object',
        properties: {
          clientId: {
            type: 'string',
            title: 'Client ID',
            minLength: 1,
            description: 'A client whose `impersonation` entry allows the exchange.',
          },
          clientSecret: { type: 'string', title: 'Client secret', minLength: 1, writeOnly: true },
          audience: {
            type: 'string',
            title: 'Audience',
            minLength: 1,
            description: 'Client ID of the resource server.',
          },
          singleUse: {
            type: 'boolean',
            title: 'Single use',
            default: false,
            description: 'True: a link works once. False: until it expires.',
          },
          confirm: {
            type: 'boolean',
            title: 'Confirmation page',
            default: false,
            description: 'True: browsers get a page with a button first.',
          },
        },
        required: ['clientId', 'clientSecret', 'audience'],
        additionalProperties: false,
      },
      open: () => ({
        create: (session, config) => ({
          reusable: async () => !config.singleUse,
          confirm: async () => config.confirm,
          async handle(token, { authenticationSession }) {
            await authenticationSession.setNote(INITIATED_BY_ACTION_TOKEN_EXT_APP, 'true');
            const response = await session.tokenRequest({
              grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
              client_id: config.clientId,
              client_secret: config.clientSecret,
              requested_subject: token.subject,
              scope: `${SCOPE_PREFIX}${token.claims[APP_ID]}`,
              audience: config.audience,
            });
            return { status: response.status, headers: response.headers, body: response.body };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
