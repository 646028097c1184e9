import type { RegisteredProvider } from './opened-plugin.js';

/** What the host loaded, as a start prints it: plugin → spi/id, with the milliseconds that opening took. */
export function formatBootTree(providers: readonly RegisteredProvider[]): string {
  const plugins = new Map<string, RegisteredProvider[]>();
  for (const provider of providers) {
    const { name, version, builtin } = provider.plugin;
    const title = builtin ? 'keyhost (built in)' : `${name}@${version}`;
    plugins.set(title, [...(plugins.get(title) ?? []), provider]);
  }
  const lines: string[] = [];
  for (const [title, all] of plugins) {
    const total = all.reduce((sum, { openMs }) => sum + openMs, 0);
    lines.push(`${title}  ${total.toFixed(1)} ms`);
    if (title === 'keyhost (built in)') {
      const kinds = new Map<string, number>();
      for (const { spi } of all) kinds.set(spi.id, (kinds.get(spi.id) ?? 0) + 1);
      const entries = [...kinds];
      for (const [index, [kind, count]] of entries.entries()) {
        lines.push(`${index === entries.length - 1 ? '└─' : '├─'} ${kind} (${count})`);
      }
      continue;
    }
    for (const [index, { spi, id, openMs }] of all.entries()) {
      lines.push(`${index === all.length - 1 ? '└─' : '├─'} ${spi.id}/${id}  ${openMs.toFixed(1)} ms`);
    }
  }
  return lines.join('\n');
}
