import { ClientRegistrationPolicy, type ClientRegistrationRequest, type Plugin, provide } from '@keyhost/spi';

/** Refuses clients whose name does not begin as the realm wants. */
function judge({ config, client }: ClientRegistrationRequest) {
  const [prefix = ''] = config.prefix ?? [];
  const { name = '' } = client;
  return String(name).startsWith(prefix) ? undefined : { refuse: `The name must begin with "${prefix}".` };
}

/** Names of registered clients begin with a word of the realm's. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(ClientRegistrationPolicy, {
      id: '__id__',
      describe: { displayName: 'Client names', helpText: 'Names of registered clients begin with a prefix.' },
      settings: {
        type: 'object',
        properties: { prefix: { type: 'string', title: 'Prefix', description: 'What names begin with.' } },
      },
      open: () => ({
        create: () => ({
          beforeRegister: async (request) => judge(request),

          // Who changes a client may leave its name as it is.
          beforeUpdate: async (request) => (request.client.name === undefined ? undefined : judge(request)),
        }),
      }),
    }),
  ],
} satisfies Plugin;
