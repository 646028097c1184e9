import { useQuery } from '@tanstack/react-query';
import { serverInfo } from '../../api/host.ts';
import { useMessages } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
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
            <Facts
              facts={[
                [overview.version, systemInfo.keyhostVersion],
                [overview.node, systemInfo.nodeVersion],
                [overview.up, <Duration key="up" milliseconds={systemInfo.uptimeMillis ?? 0} />],
              ]}
            />
          </section>
        )
      }
    </Loaded>
  );
}
