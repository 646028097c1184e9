import type { RegisteredProvider } from './registered-provider.js';

/**
 * The plugins' providers, as a start prints them: plugin → spi/id, with the milliseconds that opening took. Built-ins
 * are left out, because they never differ.
 * @param services the host's services by module, in order of creation, if they must be included
 */
export function formatBootTree(
  providers: readonly RegisteredProvider[],
  services: readonly { readonly module: string; readonly name: string; readonly ms: number }[] = [],
): string {
  const plugins = new Map<string, RegisteredProvider[]>();
  for (const provider of providers) {
    const { name, version, builtin } = provider.plugin;
    if (builtin) continue;
    const title = `${name}@${version}`;
    plugins.set(title, [...(plugins.get(title) ?? []), provider]);
  }
  const lines: string[] = [];
  for (const module of new Set(services.map((service) => service.module))) {
    const own = services.filter((service) => service.module === module);
    lines.push(module, ...branches(own.map(({ name, ms }) => [name, ms])));
  }
  for (const [title, all] of plugins) {
    const total = all.reduce((sum, { openMs }) => sum + openMs, 0);
    lines.push(`${title}  ${total.toFixed(1)} ms`);
    lines.push(...branches(all.map(({ spi, id, openMs }) => [`${spi.id}/${id}`, openMs])));
  }
  return lines.join('\n');
}

function branches(leaves: readonly (readonly [name: string, ms: number])[]): string[] {
  return leaves.map(([name, ms], index) => `${index === leaves.length - 1 ? '└─' : '├─'} ${name}  ${ms.toFixed(1)} ms`);
}
