import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type RecentRequests, serverInfo } from '../../api/server-info.ts';
import { useLanguage } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { Duration } from '../../parts/time.tsx';

/** Facts about the answering node, for admins of the host only. */
export function HostFacts() {
  const { messages, language } = useLanguage();
  const { overview } = messages;
  const query = useQuery({ ...serverInfo(), staleTime: 0 });
  const number = new Intl.NumberFormat(language);
  return (
    <QueryResult query={query}>
      {({ systemInfo }) => {
        if (systemInfo === undefined) return null;
        const { keyhostVersion, nodeVersion, uptimeMillis, requests, providerCalls: calls } = systemInfo;
        return (
          <section>
            <h2>{overview.host}</h2>
            <Facts
              facts={[
                [overview.version, keyhostVersion],
                [overview.node, nodeVersion],
                [overview.up, <Duration key="up" milliseconds={uptimeMillis} />],
                [overview.latency(requests.minutes), <Latency key="latency" {...requests} />],
                ...(calls.failed === 0
                  ? []
                  : [
                      [
                        overview.calls,
                        <Link key="calls" href="/plugins">
                          {overview.failed(number.format(calls.failed), number.format(calls.count))}
                        </Link>,
                      ] as const,
                    ]),
              ]}
            />
          </section>
        );
      }}
    </QueryResult>
  );
}

/** The number of requests, and the time within which most of them were answered. */
function Latency({ count, p50Millis, p95Millis, p99Millis }: RecentRequests) {
  const { messages, language } = useLanguage();
  const formatted = (milliseconds: number) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond' }).format(milliseconds);
  const shares = [
    [50, p50Millis],
    [95, p95Millis],
    [99, p99Millis],
  ] as const;
  const limits = shares.map(([share, time]) =>
    messages.overview.within(share, time === undefined ? undefined : formatted(time)),
  );
  return <>{[new Intl.NumberFormat(language).format(count), ...(count === 0 ? [] : limits)].join(' · ')}</>;
}
