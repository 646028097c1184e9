import { ClientRegistrationPolicy, type ClientRegistrationRequest, type Plugin, provide } from '@keyhost/spi';

/** Rejects clients whose name does not begin with the realm's prefix. */
function judge({ config, client }: ClientRegistrationRequest) {
  const [prefix = ''] = config.prefix ?? [];
  const { name = '' } = client;
  return String(name).startsWith(prefix) ? undefined : { refuse: `The name must begin with "${prefix}".` };
}

/** Requires the names of registered clients to begin with a prefix of the realm. */
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

          // An update that leaves the name unchanged is accepted.
          beforeUpdate: async (request) => (request.client.name === undefined ? undefined : judge(request)),
        }),
      }),
    }),
  ],
} satisfies Plugin;
