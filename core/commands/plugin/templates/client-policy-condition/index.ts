import { ClientPolicyCondition, type Plugin, provide } from '@keyhost/spi';

/** Limits a policy to requests from certain addresses. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(ClientPolicyCondition, {
      id: '__id__',
      events: ['TOKEN_REQUEST', 'TOKEN_REFRESH', 'SERVICE_ACCOUNT_TOKEN_REQUEST'],
      describe: { displayName: 'Addresses', helpText: 'Applies to requests from addresses with a prefix.' },
      settings: {
        type: 'object',
        required: ['prefix'],
        properties: { prefix: { type: 'string', title: 'Prefix', description: 'What addresses begin with.' } },
      },
      open: () => ({
        create: () => ({
          vote: async ({ config, ip }) => (ip.startsWith(config.prefix) ? 'yes' : 'no'),
        }),
      }),
    }),
  ],
} satisfies Plugin;
