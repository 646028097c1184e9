import type { RegisteredProvider } from './opened-plugin.js';

/**
 * What plugins brought, as a start prints it: plugin → spi/id, with the milliseconds that opening took. What is built in is the
 * same at every start, and not told.
 */
export function formatBootTree(providers: readonly RegisteredProvider[]): string {
  const plugins = new Map<string, RegisteredProvider[]>();
  for (const provider of providers) {
    const { name, version, builtin } = provider.plugin;
    if (builtin) continue;
    const title = `${name}@${version}`;
    plugins.set(title, [...(plugins.get(title) ?? []), provider]);
  }
  const lines: string[] = [];
  for (const [title, all] of plugins) {
    const total = all.reduce((sum, { openMs }) => sum + openMs, 0);
    lines.push(`${title}  ${total.toFixed(1)} ms`);
    for (const [index, { spi, id, openMs }] of all.entries()) {
      lines.push(`${index === all.length - 1 ? '└─' : '├─'} ${spi.id}/${id}  ${openMs.toFixed(1)} ms`);
    }
  }
  return lines.join('\n');
}
