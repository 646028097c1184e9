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
  importedProviders: ImportedProviders,
  log: ImportLog,
): Promise<void> {
  const providers = new ImportList(draft.identityProviders ?? [], {
    keyOf: ({ alias }) => alias,
    idsOf: ({ internalId }) => [internalId],
  });
  await forEachYielding(
    draft.realm,
    importedProviders.identityProviders ?? [],
    ({ alias, internalId, providerId = '', config, ...members }) => {
      const existingProvider = providers.find(alias);
      const action = log.decide(`Identity Provider '${alias}'`, existingProvider !== undefined);
      if (action === 'SKIPPED') return log.record(action, 'IDP', alias, existingProvider?.internalId);
      const addedProvider = providers.replace(existingProvider, () => {
        const identity = { alias, internalId: providers.freeId(internalId), providerId };
        return toStoredProvider(identity, { ...members, config }, existingProvider?.config);
      });
      log.record(action, 'IDP', alias, addedProvider.internalId);
    },
  );
  draft.identityProviders = providers.items();
  const mappers = new ImportList(draft.identityProviderMappers ?? [], {
    keyOf: ({ identityProviderAlias, name }) => JSON.stringify([identityProviderAlias, name]),
    idsOf: ({ id }) => [id],
  });
  await forEachYielding(
    draft.realm,
    importedProviders.identityProviderMappers ?? [],
    ({ id: sentId, name, identityProviderAlias, identityProviderMapper, config }) => {
      const existingMapper = mappers.find(JSON.stringify([identityProviderAlias, name]));
      const action = log.decide(`Identity Provider Mapper '${name}'`, existingMapper !== undefined);
      if (action === 'SKIPPED') return log.record(action, 'IDP_MAPPER', name, existingMapper?.id);
      const { id } = mappers.replace(existingMapper, () => ({
        id: mappers.freeId(sentId),
        name,
        identityProviderAlias,
        identityProviderMapper,
        config: replaceConfig<string>(existingMapper?.config, config ?? {}),
      }));
      log.record(action, 'IDP_MAPPER', name, id);
    },
  );
  draft.identityProviderMappers = mappers.items();
}
