import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Change, type HostPlugin, type HostPlugins, hostPlugins } from '../../api/plugins.ts';
import { Page } from '../../frame/page.tsx';
import { useTexts } from '../../messages/language.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { History } from '../plugins/history.tsx';
import { Nodes } from '../plugins/nodes.tsx';
import { PluginState } from '../plugins/plugin-state.tsx';
import { Updates } from '../plugins/updates.tsx';
import { CallsByRealm } from './calls-by-realm.tsx';
import { Log } from './log.tsx';
import { PluginFacts } from './plugin-facts.tsx';
import { PluginProviders } from './plugin-providers.tsx';
import { Rights } from './rights.tsx';
import { texts } from './texts.ts';
import { DownNotice, UpdateFailureNotice } from './troubles.tsx';
import { updatesOf } from './updates-of.ts';

export default function PluginPage({ module }: { module: string }) {
  const strings = useTexts(texts);
  const query = useQuery(hostPlugins());
  const plugin = query.data?.plugins.find((one) => one.module === module);
  if (query.data !== undefined && plugin === undefined) {
    return (
      <Page title={strings.absent} lead={strings.absentLead}>
        <p>
          <Link href="/plugins">{strings.back}</Link>
        </p>
      </Page>
    );
  }
  const { name = module, version } = plugin ?? {};
  return (
    <Page title={module} lead={version === undefined ? plugin && strings.leadOut : strings.lead(name, version)}>
      <QueryResult query={query}>{(host) => plugin && <Sections host={host} plugin={plugin} />}</QueryResult>
    </Page>
  );
}

function Sections({ host, plugin }: { host: HostPlugins; plugin: HostPlugin }) {
  const { module } = plugin;
  const past = updatesOf(plugin, host.history);
  return (
    <>
      <div className="state-line">
        <PluginState plugin={plugin} />
      </div>
      <Updates module={module} changes={changesOf(plugin, past.length > 0)}>
        <UpdateFailureNotice plugin={plugin} />
      </Updates>
      <DownNotice plugin={plugin} />
      <PluginFacts plugin={plugin} />
      <PluginProviders plugin={plugin} />
      <Rights plugin={plugin} />
      {plugin.state !== 'left out' && <CallsByRealm module={module} />}
      <Log module={module} />
      <History updates={past} />
      {host.nodes !== undefined && host.nodes.length > 1 && <Nodes nodes={host.nodes} module={module} />}
    </>
  );
}

function changesOf({ isolation, state }: HostPlugin, hasPast: boolean): readonly Change[] {
  return [
    'reload',
    ...(hasPast ? (['rollback'] as const) : []),
    ...(isolation === 'worker' && state !== 'left out' ? (['restart'] as const) : []),
  ];
}
