import {
  type Description,
  type JsonSchema,
  type MappedClaims,
  type MapperInput,
  ProtocolMapper,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';

/** Defines one of Keycloak's mappers, by its ID in realm files. It is stateless: one provider serves all sessions. */
export function mapper(
  id: string,
  {
    describe,
    settings,
    map,
  }: {
    readonly describe: Description;
    readonly settings: Readonly<Record<string, JsonSchema>>;
    readonly map: (input: MapperInput) => MappedClaims;
  },
): ProviderDefinition {
  const provider = { map };
  return provide(ProtocolMapper, {
    id,
    describe,
    settings: { type: 'object', properties: settings },
    open: () => ({ create: () => provider }),
  });
}
