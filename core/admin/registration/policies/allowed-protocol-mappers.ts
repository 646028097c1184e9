import { isDeepStrictEqual } from 'node:util';
import { ClientRegistrationPolicy, type JsonObject, type ProviderDefinition, provide } from '@keyhost/spi';
import { valuesOf } from './policy-config.js';

const ALLOWED = 'allowed-protocol-mapper-types';
const REFUSED = { refuse: 'ProtocolMapper type not allowed' };

/** Limits the protocol mappers of registered clients. A mapper that an admin added may stay unchanged. */
export const allowedProtocolMappers: ProviderDefinition = provide(ClientRegistrationPolicy, {
  id: 'allowed-protocol-mappers',
  describe: {
    displayName: 'Allowed Protocol Mappers',
    helpText: 'Types of protocol mappers that registered clients can have.',
  },
  settings: {
    type: 'object',
    properties: {
      [ALLOWED]: {
        type: 'array',
        items: { type: 'string', format: 'protocol-mapper' },
        title: 'allowed-protocol-mappers.label',
        description: 'allowed-protocol-mappers.tooltip',
      },
    },
  },
  open: () => ({
    create: () => ({
      async beforeRegister({ config, client }) {
        return forbiddenMappers(config, client).length === 0 ? undefined : REFUSED;
      },
      async beforeUpdate({ config, client, before = {} }) {
        for (const { id, name, protocolMapper, config: values = {} } of forbiddenMappers(config, client)) {
          if (id === undefined) return { refuse: `Missing id for mapper named '${name}'` };
          const existingMapper = mappersOf(before).find((mapper) => mapper.id === id);
          if (existingMapper === undefined) return { refuse: `No existing mapper model found for id '${id}'` };
          const isSame =
            existingMapper.protocolMapper === protocolMapper && isDeepStrictEqual(existingMapper.config ?? {}, values);
          if (!isSame) return REFUSED;
        }
        return undefined;
      },
    }),
  }),
});

function forbiddenMappers(config: Readonly<Record<string, readonly string[]>>, client: JsonObject): JsonObject[] {
  const allowedTypes = valuesOf(config, ALLOWED);
  return mappersOf(client).filter(({ protocolMapper }) => !allowedTypes.includes(String(protocolMapper)));
}

function mappersOf({ protocolMappers }: JsonObject): JsonObject[] {
  return (Array.isArray(protocolMappers) ? protocolMappers : []) as JsonObject[];
}
