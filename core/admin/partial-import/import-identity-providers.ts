import type { RealmRepresentation } from '../../model/representation.js';
import { toStoredProvider } from '../identity-providers/stored-provider.js';
import { replaceConfig } from '../text-config.js';
import { forEachYielding } from '../yielding-loops.js';
import { ImportList } from './import-list.js';
import type { ImportLog } from './import-log.js';

type ImportedProviders = Pick<RealmRepresentation, 'identityProviders' | 'identityProviderMappers'>;

/** Imports identity providers and their mappers. Masked secrets mean the stored ones. */
export async function importIdentityProviders(
  draft: RealmRepresentation,
  imported: ImportedProviders,
  log: ImportLog,
): Promise<void> {
  const providers = new ImportList(draft.identityProviders ?? [], {
    keyOf: ({ alias }) => alias,
    idsOf: ({ internalId }) => [internalId],
  });
  await forEachYielding(
    draft.realm,
    imported.identityProviders ?? [],
    ({ alias, internalId, providerId = '', config, ...members }) => {
      const existing = providers.find(alias);
      const action = log.decide(`Identity Provider '${alias}'`, existing !== undefined);
      if (action === 'SKIPPED') return log.record(action, 'IDP', alias, existing?.internalId);
      const added = providers.replace(existing, () => {
        const identity = { alias, internalId: providers.freeId(internalId), providerId };
        return toStoredProvider(identity, { ...members, config }, existing?.config);
      });
      log.record(action, 'IDP', alias, added.internalId);
    },
  );
  draft.identityProviders = providers.items();
  const mappers = new ImportList(draft.identityProviderMappers ?? [], {
    keyOf: ({ identityProviderAlias, name }) => JSON.stringify([identityProviderAlias, name]),
    idsOf: ({ id }) => [id],
  });
  await forEachYielding(
    draft.realm,
    imported.identityProviderMappers ?? [],
    ({ id: sentId, name, identityProviderAlias, identityProviderMapper, config }) => {
      const existing = mappers.find(JSON.stringify([identityProviderAlias, name]));
      const action = log.decide(`Identity Provider Mapper '${name}'`, existing !== undefined);
      if (action === 'SKIPPED') return log.record(action, 'IDP_MAPPER', name, existing?.id);
      const { id } = mappers.replace(existing, () => ({
        id: mappers.freeId(sentId),
        name,
        identityProviderAlias,
        identityProviderMapper,
        config: replaceConfig<string>(existing?.config, config ?? {}),
      }));
      log.record(action, 'IDP_MAPPER', name, id);
    },
  );
  draft.identityProviderMappers = mappers.items();
}
