import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { encodeSegment } from '../../address.ts';
import { changeProvider, countsOf, type Provider, providersOf } from '../../api/providers.ts';
import { useRights } from '../../api/rights.ts';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Switch } from '../../parts/switch.tsx';
import { ProviderState } from './provider-state.tsx';
import { isPlaced, texts } from './texts.ts';

export function ProviderTable({ realm, rows }: { realm: string; rows: readonly Provider[] }) {
  const { providers, yes, no } = useMessages();
  const { places } = useTexts(texts);
  const canManage = useRights(realm)('manage-realm');
  const client = useQueryClient();
  const setEnabled = useMutation({
    mutationFn: ({ provider, enabled }: { provider: Provider; enabled: boolean }) =>
      changeProvider(realm, provider, { enabled }),
    onSettled: () => client.invalidateQueries({ queryKey: providersOf(realm).queryKey }),
  });
  const isBusy = ({ spi, id }: Provider) =>
    setEnabled.isPending && setEnabled.variables.provider.spi === spi && setEnabled.variables.provider.id === id;
  const columns: readonly Column<Provider>[] = [
    { title: providers.name, show: (provider) => <NameOf realm={realm} provider={provider} /> },
    { title: providers.plugin, isMinor: true, show: (provider) => <PluginOf provider={provider} /> },
    { title: providers.calls, isMinor: true, isNumber: true, show: ({ calls }) => calls && countsOf(calls).calls },
    { title: providers.failed, isMinor: true, isNumber: true, show: ({ calls }) => calls && countsOf(calls).failed },
    { title: providers.state, show: (provider) => <ProviderState provider={provider} /> },
    {
      title: providers.turned,
      show: (provider) =>
        provider.switchable && canManage ? (
          <Switch
            label={providers.turn(provider.displayName ?? provider.id)}
            isOn={provider.enabled}
            isBusy={isBusy(provider)}
            onTurn={(enabled) => setEnabled.mutate({ provider, enabled })}
          />
        ) : (
          <small>{isPlaced(provider.spi) ? places[provider.spi] : provider.enabled ? yes : no}</small>
        ),
    },
  ];
  return (
    <>
      {setEnabled.error !== null && <FailureNotice failure={setEnabled.error} />}
      <DataTable caption={providers.caption} columns={columns} rows={rows} keyOf={({ spi, id }) => `${spi}/${id}`} />
    </>
  );
}

function NameOf({ realm, provider: { spi, id, displayName } }: { realm: string; provider: Provider }) {
  return (
    <>
      <Link href={`/realms/${encodeSegment(realm)}/providers/${encodeSegment(spi)}/${encodeSegment(id)}`}>
        {displayName ?? id}
      </Link>
      <br />
      <small>
        {spi}
        {displayName !== undefined && ` / ${id}`}
      </small>
    </>
  );
}

function PluginOf({ provider: { plugin } }: { provider: Provider }) {
  const { providers } = useMessages();
  if (plugin === undefined) return <small>{providers.unknownPlugin}</small>;
  if (plugin.builtIn) return providers.builtIn;
  return (
    <>
      {plugin.name} {plugin.version}
      <br />
      <small>{plugin.isolation === 'worker' ? providers.inWorker : providers.inProcess}</small>
    </>
  );
}
