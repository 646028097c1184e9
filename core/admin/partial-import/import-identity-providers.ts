import { randomUUID } from 'node:crypto';
import type { RealmRepresentation } from '../../model/representation.js';
import { keptProvider } from '../identity-providers/kept-provider.js';
import { replacedTexts } from '../text-config.js';
import { freeId, type ImportLog } from './import-log.js';

type Sent = Pick<RealmRepresentation, 'identityProviders' | 'identityProviderMappers'>;

/** Secrets that were exported masked are those that are there. */
export function importIdentityProviders(draft: RealmRepresentation, sent: Sent, log: ImportLog): void {
  const providers = [...(draft.identityProviders ?? [])];
  for (const { alias, internalId, providerId = '', config, ...members } of sent.identityProviders ?? []) {
    const existing = providers.find((one) => one.alias === alias);
    const action = log.decide(`Identity Provider '${alias}'`, existing !== undefined);
    const others = providers.filter((one) => one !== existing);
    if (action === 'SKIPPED') {
      log.note(action, 'IDP', alias, existing?.internalId);
      continue;
    }
    const id = freeId(
      internalId,
      others.map((one) => one.internalId),
      randomUUID,
    );
    const identity = { alias, internalId: id, providerId };
    providers.splice(0, providers.length, ...others, keptProvider(identity, { ...members, config }, existing?.config));
    log.note(action, 'IDP', alias, id);
  }
  draft.identityProviders = providers;
  const mappers = [...(draft.identityProviderMappers ?? [])];
  for (const {
    id: given,
    name,
    identityProviderAlias,
    identityProviderMapper,
    config,
  } of sent.identityProviderMappers ?? []) {
    const existing = mappers.find((one) => one.identityProviderAlias === identityProviderAlias && one.name === name);
    const action = log.decide(`Identity Provider Mapper '${name}'`, existing !== undefined);
    const others = mappers.filter((one) => one !== existing);
    if (action === 'SKIPPED') {
      log.note(action, 'IDP_MAPPER', name, existing?.id);
      continue;
    }
    const id = freeId(
      given,
      others.map((one) => one.id),
      randomUUID,
    );
    const mapper = { id, name, identityProviderAlias, identityProviderMapper };
    mappers.splice(0, mappers.length, ...others, {
      ...mapper,
      config: replacedTexts<string>(existing?.config, config ?? {}),
    });
    log.note(action, 'IDP_MAPPER', name, id);
  }
  draft.identityProviderMappers = mappers;
}
