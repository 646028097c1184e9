import { useQuery } from '@tanstack/react-query';
import {
  changeProviderMapper,
  createProviderMapper,
  mapperKindsOfProvider,
  mappersOfProvider,
  oneProviderMapper,
  providerMappersKey,
  removeProviderMapper,
} from '../../api/identity-providers.ts';
import { useTexts } from '../../messages/language.tsx';
import type { ShownProperty } from '../../parts/config-values.ts';
import { MapperList } from '../../parts/mapper-list.tsx';
import type { ProviderSectionProps } from './identity-provider-page.tsx';
import { texts as providerTexts } from './texts.ts';

/** The mappers that copy claims of the provider to users. */
export function ProviderMappers({ realm, provider: { alias }, canManage }: ProviderSectionProps) {
  const texts = useTexts(providerTexts);
  const { data = [] } = useQuery(mapperKindsOfProvider(realm, alias));
  const modes = { INHERIT: texts.inherit, ...texts.options.syncMode };
  // Every mapper has a sync mode, so the host does not list it among a type's settings.
  const syncMode: ShownProperty = {
    name: 'syncMode',
    label: texts.syncOverride,
    type: 'List',
    defaultValue: 'INHERIT',
    options: Object.keys(modes),
    optionLabels: modes,
  };
  return (
    <MapperList
      realm={realm}
      query={useQuery(mappersOfProvider(realm, alias))}
      kinds={data.map((kind) => ({ ...kind, properties: [syncMode, ...kind.properties] }))}
      calls={{
        read: (id) => oneProviderMapper(realm, alias, id),
        create: (mapper) => createProviderMapper(realm, alias, mapper),
        change: (mapper, ifMatch) => changeProviderMapper(realm, alias, { mapper, ifMatch }),
        remove: (id) => removeProviderMapper(realm, alias, id),
      }}
      refreshes={providerMappersKey(realm, alias)}
      canManage={canManage}
      lead={texts.mappersLead}
      empty={texts.noMappers}
    />
  );
}
