import { resolve } from 'node:path';
import type { PluginNeeds, PluginRight } from '@keyhost/spi';
import type { HostOptions } from '../../config/options/options.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import type { Package } from '../../registry/loading/find-packages.js';
import { spiOf } from '../../registry/loading/host-spis.js';
import { grantsLine } from '../../registry/loading/plugin-rights.js';
import { displayPath } from '../display-path.js';
import { enablingLines } from './enabling.js';
import type { GrantDecision } from './granting.js';
import { placeholders } from './placeholders.js';
import { realmMentions } from './realm-mentions.js';
import type { VerifiedPlugin } from './verify-plugin.js';

/** A plugin that was installed in the plugin folder. */
export interface InstalledPlugin extends VerifiedPlugin {
  /** The plugin's entry in plugins.json before the installation. */
  readonly entry: PluginEntry | undefined;
  /** True if plugins.json contains the plugin now. */
  readonly isListed: boolean;
  readonly decision: GrantDecision;
  /** The package that was replaced. */
  readonly replaced?: Package | undefined;
}

/** Prints the installed package, the remaining steps, and how realms enable its providers. */
export async function printInstalled(installed: InstalledPlugin, host: HostOptions): Promise<void> {
  const { plugin } = installed.loaded;
  const lines = [installedLine(installed, host), ...rightsLines(installed)];
  if (!installed.isListed) lines.push(...entryLines(installed, host));
  lines.push(...(await enablingHelp(plugin.providers, host)));
  process.stdout.write(`${lines.join('\n')}\n`);
}

function installedLine({ loaded, entry, isListed, replaced }: InstalledPlugin, host: HostOptions): string {
  const { module, version, directory } = loaded;
  const change = replaced === undefined ? version : `${replaced.version} → ${version}`;
  const file = displayPath(resolve(host.pluginsFile));
  const listing = entry !== undefined ? `. ${file} already lists it.` : isListed ? `, and added it to ${file}.` : '.';
  return `Installed ${module} ${change} in ${displayPath(directory)}${listing}`;
}

function rightsLines({ loaded, decision }: InstalledPlugin): string[] {
  const { needs = {} } = loaded.plugin;
  const { granted, denied } = decision;
  const grantedBefore = (Object.keys(needs) as PluginRight[]).filter(
    (one) => !granted.includes(one) && !denied.includes(one),
  );
  const section = (rights: readonly PluginRight[], title: string) =>
    rights.length === 0 ? [] : [title, ...rights.map((right) => rightRow(right, needs))];
  return [
    ...section(grantedBefore, 'It has these rights:'),
    ...section(granted, 'It now has these rights in every realm except master:'),
    ...section(denied, 'It asks for these rights, which are not granted:'),
  ];
}

const rightRow = (right: PluginRight, needs: PluginNeeds) => `  ${right}: ${needs[right]}`;

/** The lines with the entry that the operator must complete and add to plugins.json. */
function entryLines({ loaded, missing, decision }: InstalledPlugin, host: HostOptions): string[] {
  const { module, plugin } = loaded;
  const file = displayPath(resolve(host.pluginsFile));
  const asksForRights = decision.granted.length + decision.denied.length > 0;
  const missingConfig = missing.map(({ definition: { spi, id, config } }) => [`${spi.id}/${id}`, placeholders(config)]);
  const members = [
    `"module": ${JSON.stringify(module)}`,
    ...(asksForRights ? [grantsLine(plugin.needs ?? {}, {})] : []),
    ...(missingConfig.length > 0 ? [`"config": ${JSON.stringify(Object.fromEntries(missingConfig))}`] : []),
  ];
  const instruction =
    missingConfig.length > 0
      ? `It requires configuration. Replace each … in this entry, and add it to the plugins of ${file}:`
      : `Keyhost does not load it without them. Run keyhost plugin add ${module} --grant, or add this to the plugins of ${file}:`;
  return [instruction, `  { ${members.join(', ')} }`];
}

/** The lines about the realms that already enable the plugin's providers, and about how to enable the others. */
async function enablingHelp(
  providers: InstalledPlugin['loaded']['plugin']['providers'],
  { realmsDir }: HostOptions,
): Promise<string[]> {
  const lines: string[] = [];
  const enabled = (await realmMentions(realmsDir)).filter((one) => one.isEnabled);
  const disabled = providers.filter(({ spi, id }) => !enabled.some((one) => one.spi === spi.id && one.id === id));
  for (const { spi, id } of providers) {
    const realms = new Set(enabled.filter((one) => one.spi === spi.id && one.id === id).map(({ realm }) => realm));
    if (realms.size > 0) lines.push(`${spi.id}/${id} is enabled in ${[...realms].join(', ')}.`);
  }
  if (disabled.length > 0) {
    lines.push('To enable it, add this to a realm file:', ...enablingLines(disabled).map((one) => `  ${one}`));
  }
  for (const definition of disabled) {
    const spi = spiOf(definition);
    if (spi.realm !== undefined && spi.realm.list === undefined) continue;
    const isAlone = providers.filter(({ id }) => id === definition.id).length === 1;
    const name = isAlone ? definition.id : `${spi.id}/${definition.id}`;
    lines.push(`Or run: keyhost plugin enable ${name} --realm NAME`);
  }
  return lines;
}
