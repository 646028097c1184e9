import {
  type Description,
  type JsonSchema,
  type MappedClaims,
  type MapperInput,
  ProtocolMapper,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';

/**
 * Defines one of Keycloak's mappers. It is stateless: one provider serves all sessions.
 * @param id its ID in realm files
 */
export function defineMapper(
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
