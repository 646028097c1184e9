import type { RealmRepresentation } from '../../model/representation.js';
import type { SchemaProblem } from '../json/schema-check.js';
import type { ProviderSchema } from './provider-checks.js';

/** The protocol mappers of a realm that no provider carries out: they are kept as another host's, and do nothing. */
export function unknownMappers(realm: RealmRepresentation, providers: readonly ProviderSchema[]): SchemaProblem[] {
  const known = new Set(providers.filter(({ spi }) => spi === 'protocol-mapper').map(({ id }) => id));
  const found: SchemaProblem[] = [];
  for (const holder of ['clients', 'clientScopes'] as const) {
    for (const [index, { protocolMappers = [] }] of (realm[holder] ?? []).entries()) {
      for (const [at, { protocol = 'openid-connect', protocolMapper }] of protocolMappers.entries()) {
        if (protocol !== 'openid-connect' || known.has(protocolMapper)) continue;
        const path = [holder, index, 'protocolMappers', at, 'protocolMapper'];
        found.push({ path, message: `protocol mapper "${protocolMapper}" not found: it adds no claims to tokens` });
      }
    }
  }
  return found;
}
