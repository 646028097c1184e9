import type { Metric } from '../../host/metric.js';
import { Metrics } from '../../host/metrics.js';
import type { ProviderSources } from '../../host/provider-metrics.js';
import { workerMetrics } from '../../host/worker-processes/operations-of-workers.js';
import { RequestDurations } from '../../http/request-durations.js';
import { EventTotals } from '../../registry/events/event-totals.js';
import { code, codes, page, plain, table } from './markdown.js';

interface Family {
  readonly kind: string;
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[] | undefined;
}

/** Returns the page with every metric of the host and of prom-client. */
export async function metricsPage(): Promise<string> {
  // Values are read only when metrics are scraped, which does not happen here.
  const unusedSource = () => {
    throw new Error('the metrics page reads none');
  };
  const metrics = new Metrics(
    '',
    new RequestDurations(),
    {} as ProviderSources,
    { openCount: 0 },
    unusedSource,
    unusedSource,
    new EventTotals(),
  );
  const hostMetrics: Family[] = [...metrics.metrics(), ...metrics.histograms()];
  const parentMetrics: readonly Metric[] = workerMetrics(() => {
    throw new Error('the metrics pages call no plugins');
  });
  return page(
    'Metrics',
    'The management port answers metrics at `/metrics`, in the text format of Prometheus. The address is `--management-host` and\n`--management-port`: <http://127.0.0.1:9000/metrics> unless you change it. The\n[Grafana dashboard](../../deploy/README.md#seeing-what-it-does) uses them.',
    'A label `realm` names at most 100 realms, or 100 of each provider; `(others)` is the rest together.',
    '## Keyhost',
    families(hostMetrics),
    '`keycloak_user_events_total` has the name and the labels of Keycloak’s user event metrics, so its dashboards can ask for it. It\ncounts every event, whether or not the realm saves events. An error that is not Keycloak’s or Keyhost’s own is `other`. The options\n`--event-metrics-user-tags` and `--event-metrics-user-events` are [Keycloak’s](cli.md#operation): they add the labels `idp` and\n`client_id`, and choose events. Of each realm at most 100 clients and 100 identity providers are named.',
    '## Several processes',
    'With [`--workers`](cli.md#operation), one page has the metrics of all processes: counters and histograms are sums. These are added:',
    families(parentMetrics),
    '## Node.js',
    'These are the default metrics of [prom-client](https://github.com/siimon/prom-client#default-metrics) on Linux. Other operating\nsystems have fewer.',
    families(await defaults()),
    '## OpenTelemetry',
    'With an OTLP exporter, Keyhost sends its counters and gauges under these names, without the suffix `_total`. The duration of requests is\nthe histogram `http.server.request.duration` (seconds), with `http.request.method`, `http.route` and `http.response.status_code`.',
  );
}

function families(metricFamilies: readonly Family[]): string {
  const rows = [...metricFamilies].sort((a, b) => (a.name < b.name ? -1 : 1));
  return table(
    ['metric', 'type', 'unit', 'labels', 'meaning'],
    rows.map(({ kind, name, help, labels = [] }) => [code(name), kind, unitOf(name, kind), codes(labels), plain(help)]),
  );
}

/** Returns the unit of a metric, with which its name ends by Prometheus' convention. */
function unitOf(name: string, kind: string): string {
  const [unit] = /(?:seconds|bytes)(?=(_total)?$)/.exec(name) ?? [];
  return unit ?? (kind === 'histogram' || kind === 'summary' ? 'seconds' : '');
}

async function defaults(): Promise<Family[]> {
  const client = await import('prom-client');
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  // prom-client's types declare `type` as a number and lack `labelNames`.
  const families = (await registry.getMetricsAsJSON()) as unknown as { name: string; help: string; type: string }[];
  return families.map(({ name, help, type }) => {
    const { labelNames } = registry.getSingleMetric(name) as unknown as { labelNames?: readonly string[] };
    return { kind: type, name, help, labels: labelNames };
  });
}
