import { isDeepStrictEqual } from 'node:util';
import type { ProviderDefinition } from '@keyhost/spi';

/** Describes the mistake of the first provider that shares another one's configuration; undefined if there is none. */
export function sharedConfigFault(definitions: readonly ProviderDefinition[]): string | undefined {
  const nameOf = ({ spi, id }: ProviderDefinition) => `${spi.id}/${id}`;
  for (const definition of definitions) {
    const { sharesConfig, schedule } = definition;
    if (sharesConfig === undefined) continue;
    const { provider, realmConfig } = sharesConfig;
    const wrong = (reason: string) => `${nameOf(definition)}: sharesConfig: ${reason}`;
    const owner = definitions.find((other) => nameOf(other) === provider);
    if (owner === undefined) {
      const others = definitions.map(nameOf).filter((name) => name !== nameOf(definition));
      return wrong(`this plugin has no provider "${provider}"; it has ${others.join(', ') || 'no other provider'}`);
    }
    if (owner.sharesConfig !== undefined || owner === definition) {
      return wrong(`${provider} has no configuration of its own`);
    }
    if (!isDeepStrictEqual(owner.realmConfig, realmConfig)) {
      return wrong(`realmConfig must be the same schema as that of ${provider}`);
    }
    if (schedule?.setting !== undefined) return wrong(`schedule.setting must be declared by ${provider}`);
  }
  return undefined;
}
