import { countsOf, type Provider } from '../../api/providers.ts';
import { useLanguage } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';

/** Where it comes from, and how its calls ended. */
export function ProviderFacts({ provider: { spi, id, plugin, calls } }: { provider: Provider }) {
  const { language, messages } = useLanguage();
  const { providers, provider: texts } = messages;
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const counts = calls && countsOf(calls);
  const ended = calls === undefined || counts === undefined ? 0 : counts.calls - calls.running;
  return (
    <Facts
      facts={[
        [providers.kind, `${spi} / ${id}`],
        [
          providers.plugin,
          plugin === undefined
            ? providers.unknownPlugin
            : plugin.builtIn
              ? providers.builtIn
              : `${plugin.name} ${plugin.version}`,
        ],
        ...(plugin?.isolation === undefined
          ? []
          : [[providers.runs, plugin.isolation === 'worker' ? providers.inWorker : providers.inProcess] as const]),
        ...(calls === undefined || counts === undefined
          ? []
          : ([
              [providers.calls, number(counts.calls)],
              [providers.failed, number(counts.failed)],
              [
                texts.mean,
                ended === 0 ? messages.none : texts.milliseconds(number(Math.round((calls.seconds / ended) * 1000))),
              ],
            ] as const)),
      ]}
    />
  );
}
