import { ClientRegistrationPolicy, type ProviderDefinition, provide } from '@keyhost/spi';
import { valuesOf } from './policy-config.js';

const MAX = 'max-clients';

/** Limits the number of clients in a realm. With an invalid limit, no client can be registered. */
export const maxClients: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'max-clients',
  describe: {
    displayName: 'Max Clients',
    helpText: 'Nobody registers a client when the realm has this many clients.',
  },
  settings: {
    type: 'object',
    properties: {
      [MAX]: {
        type: 'integer',
        minimum: -2_147_483_648,
        maximum: 2_147_483_647,
        title: 'max-clients.label',
        description: 'max-clients.tooltip',
        default: 200,
      },
    },
    required: [MAX],
  },
  open: () => ({
    create: () => ({
      async beforeRegister({ config, realm }) {
        const [limit = ''] = valuesOf(config, MAX);
        const isBelow = /^-?\d+$/.test(limit) && realm.clients < Number(limit);
        return isBelow ? undefined : { refuse: `It's allowed to have max ${limit} clients per realm` };
      },
      beforeUpdate: async () => undefined,
    }),
  }),
});
