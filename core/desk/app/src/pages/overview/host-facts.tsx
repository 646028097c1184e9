import { useQuery } from '@tanstack/react-query';
import { serverInfo } from '../../api/host.ts';
import { useMessages } from '../../messages/language.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Duration } from '../../parts/time.tsx';

/** Of the node that answers. Who administers a realm is told nothing of it. */
export function HostFacts() {
  const { overview } = useMessages();
  const query = useQuery(serverInfo());
  return (
    <Loaded query={query}>
      {({ systemInfo }) =>
        systemInfo !== undefined && (
          <section>
            <h2>{overview.host}</h2>
            <dl className="facts">
              <div>
                <dt>{overview.version}</dt>
                <dd>{systemInfo.keyhostVersion}</dd>
              </div>
              <div>
                <dt>{overview.node}</dt>
                <dd>{systemInfo.nodeVersion}</dd>
              </div>
              <div>
                <dt>{overview.up}</dt>
                <dd>
                  <Duration milliseconds={systemInfo.uptimeMillis ?? 0} />
                </dd>
              </div>
            </dl>
          </section>
        )
      }
    </Loaded>
  );
}
