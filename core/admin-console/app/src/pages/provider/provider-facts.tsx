import type { Provider } from '../../api/providers.ts';
import { useLanguage } from '../../messages/language.tsx';
import { CallEnds, meanOf } from '../../parts/call-ends.tsx';
import { Facts } from '../../parts/facts.tsx';

/** The provider's plugin, and the outcome of its calls. */
export function ProviderFacts({ provider: { spi, id, plugin, calls } }: { provider: Provider }) {
  const { language, messages } = useLanguage();
  const { providers, provider: texts } = messages;
  const mean = calls && meanOf(calls, language);
  const facts = [
    [providers.kind, `${spi} / ${id}`],
    [providers.plugin, sourceOf(plugin, providers)],
    [providers.runs, plugin?.isolation && (plugin.isolation === 'worker' ? providers.inWorker : providers.inProcess)],
    [providers.calls, calls && <CallEnds calls={calls} />],
    [texts.mean, mean && texts.milliseconds(mean)],
  ] as const;
  return <Facts facts={facts.filter(([, value]) => value !== undefined)} />;
}

function sourceOf(plugin: Provider['plugin'], texts: { builtIn: string; unknownPlugin: string }): string {
  if (plugin === undefined) return texts.unknownPlugin;
  return plugin.builtIn ? texts.builtIn : `${plugin.name} ${plugin.version}`;
}
