import type { RegisteredProvider } from './registered-provider.js';

/**
 * Formats the plugins' providers as a tree: plugin → `spi/id`, with the milliseconds that opening took. Built-ins are
 * left out, because they are always the same.
 * @param services the host's services in order of creation, if the tree must include them
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
    const servicesOfModule = services.filter((service) => service.module === module);
    lines.push(module, ...formatBranches(servicesOfModule.map(({ name, ms }) => [name, ms])));
  }
  for (const [title, providersOfPlugin] of plugins) {
    const total = providersOfPlugin.reduce((sum, { openMs }) => sum + openMs, 0);
    lines.push(`${title}  ${total.toFixed(1)} ms`);
    lines.push(...formatBranches(providersOfPlugin.map(({ spi, id, openMs }) => [`${spi.id}/${id}`, openMs])));
  }
  return lines.join('\n');
}

function formatBranches(leaves: readonly (readonly [name: string, ms: number])[]): string[] {
  return leaves.map(([name, ms], index) => `${index === leaves.length - 1 ? '└─' : '├─'} ${name}  ${ms.toFixed(1)} ms`);
}
