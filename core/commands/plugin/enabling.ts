import type { JsonSchema, ProviderDefinition } from '@keyhost/spi';
import { spiOf } from '../../registry/loading/host-spis.js';
import { placeholders } from './placeholders.js';

/**
 * The lines that enable providers in a realm file, with placeholders for required configuration. The key `providers`
 * has a single line, since a key must not be repeated.
 */
export function enablingLines(definitions: readonly ProviderDefinition[]): string[] {
  const providers: Record<string, Record<string, object>> = {};
  const lines: string[] = [];
  for (const definition of definitions) {
    const { id, realmConfig } = definition;
    const spi = spiOf(definition);
    const config = placeholders(realmConfig);
    const hasConfig = Object.keys(config).length > 0;
    const usesEnabled = spi.realm === undefined;
    const { settings } = definition.declaration as { readonly settings?: JsonSchema };
    if (spi.realm !== undefined) lines.push(spi.realm.example(id, placeholders(settings)));
    if (!usesEnabled && !hasConfig) continue;
    providers[spi.id] ??= {};
    Object.assign(providers[spi.id] as object, {
      [id]: { ...(usesEnabled ? { enabled: true } : {}), ...(hasConfig ? { config } : {}) },
    });
  }
  const enabled = Object.entries(providers).map(([spi, ids]) => {
    const entries = Object.entries(ids).map(([id, value]) => `"${id}": ${JSON.stringify(value)}`);
    return `"${spi}": { ${entries.join(', ')} }`;
  });
  return enabled.length === 0 ? lines : [`"providers": { ${enabled.join(', ')} }`, ...lines];
}
