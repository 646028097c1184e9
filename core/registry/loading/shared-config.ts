import { isDeepStrictEqual } from 'node:util';
import type { ProviderDefinition } from '@keyhost/spi';

/**
 * Describes the first provider that shares another one's configuration in an invalid way; undefined if there is none.
 */
export function sharedConfigFault(definitions: readonly ProviderDefinition[]): string | undefined {
  const nameOf = ({ spi, id }: ProviderDefinition) => `${spi.id}/${id}`;
  for (const definition of definitions) {
    const { sharesConfig, schedule } = definition;
    if (sharesConfig === undefined) continue;
    const { provider, realmConfig } = sharesConfig;
    const describeFault = (reason: string) => `${nameOf(definition)}: sharesConfig: ${reason}`;
    const owner = definitions.find((other) => nameOf(other) === provider);
    if (owner === undefined) {
      const otherNames = definitions.map(nameOf).filter((name) => name !== nameOf(definition));
      return describeFault(
        `this plugin has no provider "${provider}"; it has ${otherNames.join(', ') || 'no other provider'}`,
      );
    }
    if (owner.sharesConfig !== undefined || owner === definition) {
      return describeFault(`${provider} has no configuration of its own`);
    }
    if (!isDeepStrictEqual(owner.realmConfig, realmConfig)) {
      return describeFault(`realmConfig must be the same schema as that of ${provider}`);
    }
    if (schedule?.setting !== undefined) return describeFault(`schedule.setting must be declared by ${provider}`);
  }
  return undefined;
}
