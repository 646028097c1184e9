import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeProvider, oneProvider, providersOf } from '../../api/providers.ts';
import { useRights } from '../../api/rights.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/language.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Switch } from '../../parts/switch.tsx';
import { session } from '../../session/session.ts';
import { PagesAt } from '../plugin-page/pages-at.tsx';
import { ProviderState } from '../providers/provider-state.tsx';
import { isPlaced } from '../providers/texts.ts';
import { Configuration } from './configuration.tsx';
import { FlowUses } from './flow-uses.tsx';
import { LastFailures } from './last-failures.tsx';
import { Placement } from './placement.tsx';
import { ProviderDrift } from './provider-drift.tsx';
import { ProviderFacts } from './provider-facts.tsx';

interface Names {
  readonly realm: string;
  readonly spi: string;
  readonly id: string;
}

export default function ProviderPage({ realm, spi, id }: Names) {
  const { provider: texts, providers } = useMessages();
  const query = useQuery(oneProvider(realm, spi, id));
  const canManage = useRights(realm)('manage-realm');
  const client = useQueryClient();
  const setEnabled = useMutation({
    mutationFn: (enabled: boolean) => changeProvider(realm, { spi, id }, { enabled }),
    onSettled: () => client.invalidateQueries({ queryKey: providersOf(realm).queryKey }),
  });
  return (
    <Page title={query.data?.body.displayName ?? id} lead={query.data?.body.helpText ?? texts.lead(spi, realm)}>
      {setEnabled.error !== null && <FailureNotice failure={setEnabled.error} />}
      <QueryResult query={query}>
        {({ body: provider, tag }) => (
          <>
            <div className="state-line">
              <ProviderState provider={provider} />
              {provider.switchable && canManage && (
                <Switch
                  label={providers.turn(provider.displayName ?? id)}
                  isOn={provider.enabled}
                  isBusy={setEnabled.isPending}
                  onTurn={setEnabled.mutate}
                />
              )}
            </div>
            {isPlaced(spi) && <Placement realm={realm} spi={spi} />}
            {provider.health.reason !== undefined && (
              <section className="notice notice-bad">
                <h2>{texts.wrong}</h2>
                <p>{provider.health.reason}</p>
              </section>
            )}
            <ProviderFacts provider={provider} />
            {provider.uses !== undefined && <FlowUses uses={provider.uses} />}
            <LastFailures failures={provider.failures ?? []} />
            <Configuration realm={realm} provider={provider} tag={tag} />
            {session.realm === 'master' && <ProviderDrift realm={realm} provider={provider} tag={tag} />}
            {provider.plugin !== undefined && (
              <PagesAt realm={realm} place={{ at: 'provider', plugin: provider.plugin.name }} />
            )}
          </>
        )}
      </QueryResult>
    </Page>
  );
}
