import type { HostPlugin } from '../../api/plugins.ts';
import { useLanguage, useTexts } from '../../messages/language.tsx';
import { Facts } from '../../parts/facts.tsx';
import { whereOf } from '../plugins/plugin-table.tsx';
import { texts as pluginsTexts } from '../plugins/texts.ts';
import { texts } from './texts.ts';

/** Its version, isolation and limits. */
export function PluginFacts({ plugin: { version, inFolder, isolation, limits = {} } }: { plugin: HostPlugin }) {
  const told = useTexts(texts);
  const { language } = useLanguage();
  const where = whereOf(isolation, useTexts(pluginsTexts));
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const { callTimeout, concurrency, memory } = limits;
  const facts = [
    [told.version, version],
    [told.inFolder, inFolder],
    [told.isolation, where],
    [told.timeout, callTimeout && told.seconds(number(callTimeout))],
    [told.concurrency, concurrency && number(concurrency)],
    [told.memory, memory && told.megabytes(number(memory))],
  ] as const;
  const known = facts.filter(([, value]) => value !== undefined);
  return known.length === 0 ? null : <Facts facts={known} />;
}
