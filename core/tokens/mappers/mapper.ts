import {
  type Description,
  type JsonSchema,
  type MappedClaims,
  type MapperInput,
  ProtocolMapper,
  type ProviderDefinition,
  provide,
} from '@keyhost/spi';

/** A mapper of Keycloak's, by the id that realm files use. It keeps nothing: one provider serves all sessions. */
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
