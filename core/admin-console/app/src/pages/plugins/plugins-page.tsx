import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type HostPlugins, hostPlugins } from '../../api/plugins.ts';
import { Page } from '../../frame/page.tsx';
import { useMessages, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Time } from '../../parts/time.tsx';
import { BootTree } from './boot-tree.tsx';
import { History } from './history.tsx';
import { Nodes } from './nodes.tsx';
import { PluginTable } from './plugin-table.tsx';
import { texts } from './texts.ts';
import { Updates } from './updates.tsx';

export default function PluginsPage() {
  const strings = useTexts(texts);
  const { pages } = useMessages();
  const query = useQuery(hostPlugins());
  return (
    <Page
      title={pages.plugins}
      lead={
        <>
          {strings.lead} <Link href="/plugins/catalogue">{strings.catalogue}</Link>
        </>
      }
    >
      <QueryResult query={query}>
        {(host) => (
          <>
            <Updates changes={host.history.length > 0 ? ['reload', 'rollback'] : ['reload']}>
              <LastFailure failure={host.failure} />
            </Updates>
            {host.warning !== undefined && <p className="notice notice-warning">{host.warning}</p>}
            {host.plugins.length === 0 ? (
              <p className="nothing">{strings.empty}</p>
            ) : (
              <PluginTable plugins={host.plugins} />
            )}
            <Generation host={host} />
            <History updates={host.history} />
            <BootTree />
            {host.nodes !== undefined && <Nodes nodes={host.nodes} differences={host.differences} />}
          </>
        )}
      </QueryResult>
    </Page>
  );
}

function LastFailure({ failure }: { failure: HostPlugins['failure'] }) {
  const strings = useTexts(texts);
  if (failure === undefined) return null;
  return (
    <section className="notice notice-warning">
      <h2>{strings.nothingChanged}</h2>
      <p>
        {strings.triggers[failure.trigger]}, <Time at={failure.at} />
      </p>
      <pre className="told">{failure.report}</pre>
    </section>
  );
}

function Generation({ host: { generation, since, draining } }: { host: HostPlugins }) {
  const strings = useTexts(texts);
  return (
    <Facts
      facts={[
        [strings.generation, generation],
        [strings.since, <Time key="since" at={since} />],
        ...(draining.length === 0
          ? []
          : [[strings.draining, <Draining key="draining" draining={draining} />] as const]),
      ]}
    />
  );
}

function Draining({ draining }: Pick<HostPlugins, 'draining'>) {
  const strings = useTexts(texts);
  return draining.map(({ generation, calls }) => (
    <div key={generation}>{strings.drainingOf(generation, String(calls))}</div>
  ));
}
