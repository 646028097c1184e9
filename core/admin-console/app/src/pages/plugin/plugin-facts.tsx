import type { HostPlugin } from '../../api/plugins.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { isolationText } from '../plugins/plugin-table.tsx';
import { texts as pluginsTexts } from '../plugins/texts.ts';
import { texts } from './texts.ts';

/** The plugin's version, isolation and limits. */
export function PluginFacts({ plugin: { version, inFolder, isolation, limits = {} } }: { plugin: HostPlugin }) {
  const strings = useTexts(texts);
  const { language } = useLanguage();
  const isolationName = isolationText(isolation, useTexts(pluginsTexts));
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const { callTimeout, concurrency, memory } = limits;
  const facts = [
    [strings.version, version],
    [strings.inFolder, inFolder],
    [strings.isolation, isolationName],
    [strings.timeout, callTimeout && strings.seconds(number(callTimeout))],
    [strings.concurrency, concurrency && number(concurrency)],
    [strings.memory, memory && strings.megabytes(number(memory))],
  ] as const;
  const knownFacts = facts.filter(([, value]) => value !== undefined);
  return knownFacts.length === 0 ? null : <Facts facts={knownFacts} />;
}
