import { resolve } from 'node:path';
import type { PluginNeeds, PluginRight } from '@keyhost/spi';
import type { HostOptions } from '../../config/options/options.js';
import type { PluginEntry } from '../../config/plugins-file.js';
import type { Package } from '../../registry/loading/find-packages.js';
import { spiOf } from '../../registry/loading/host-spis.js';
import { grantsLine } from '../../registry/loading/plugin-rights.js';
import { displayPath } from '../display-path.js';
import { enablingLines } from './enabling.js';
import type { Decision } from './granting.js';
import { placeholders } from './placeholders.js';
import { realmMentions } from './realm-mentions.js';
import type { VerifiedPlugin } from './verify-plugin.js';

/** A plugin that was installed in the plugin folder. */
export interface InstalledPlugin extends VerifiedPlugin {
  /** Its previous entry in plugins.json. */
  readonly entry: PluginEntry | undefined;
  /** True if plugins.json lists it now. */
  readonly listed: boolean;
  readonly decision: Decision;
  /** The package that it replaced. */
  readonly old?: Package | undefined;
}

/** Prints the installed package, the remaining steps, and how realms enable its providers. */
export async function printInstalled(installed: InstalledPlugin, host: HostOptions): Promise<void> {
  const { plugin } = installed.loaded;
  const lines = [installedLine(installed, host), ...rightsLines(installed)];
  if (!installed.listed) lines.push(...entryLines(installed, host));
  lines.push(...(await enablingHelp(plugin.providers, host)));
  process.stdout.write(`${lines.join('\n')}\n`);
}

function installedLine({ loaded, entry, listed, old }: InstalledPlugin, host: HostOptions): string {
  const { module, version, directory } = loaded;
  const change = old === undefined ? version : `${old.version} → ${version}`;
  const file = displayPath(resolve(host.pluginsFile));
  const listing = entry !== undefined ? `. ${file} already lists it.` : listed ? `, and added it to ${file}.` : '.';
  return `Installed ${module} ${change} in ${displayPath(directory)}${listing}`;
}

function rightsLines({ loaded, decision }: InstalledPlugin): string[] {
  const { needs = {} } = loaded.plugin;
  const { granted, denied } = decision;
  const before = (Object.keys(needs) as PluginRight[]).filter((one) => !granted.includes(one) && !denied.includes(one));
  const rows = (rights: readonly PluginRight[], title: string) =>
    rights.length === 0 ? [] : [title, ...rights.map((right) => rightRow(right, needs))];
  return [
    ...rows(before, 'It has these rights:'),
    ...rows(granted, 'It now has these rights in every realm except master:'),
    ...rows(denied, 'It asks for these rights, which are not granted:'),
  ];
}

const rightRow = (right: PluginRight, needs: PluginNeeds) => `  ${right}: ${needs[right]}`;

/** The entry of plugins.json for the operator to complete and add. */
function entryLines({ loaded, missing, decision }: InstalledPlugin, host: HostOptions): string[] {
  const { module, plugin } = loaded;
  const file = displayPath(resolve(host.pluginsFile));
  const isAsking = decision.granted.length + decision.denied.length > 0;
  const needs = missing.map(({ definition: { spi, id, config } }) => [`${spi.id}/${id}`, placeholders(config)]);
  const members = [
    `"module": ${JSON.stringify(module)}`,
    ...(isAsking ? [grantsLine(plugin.needs ?? {}, {})] : []),
    ...(needs.length > 0 ? [`"config": ${JSON.stringify(Object.fromEntries(needs))}`] : []),
  ];
  const instruction =
    needs.length > 0
      ? `It requires configuration. Replace each … in this entry, and add it to the plugins of ${file}:`
      : `Keyhost does not load it without them. Run keyhost plugin add ${module} --grant, or add this to the plugins of ${file}:`;
  return [instruction, `  { ${members.join(', ')} }`];
}

/** Describes which realm files enable its providers already, and the lines and commands that enable the others. */
async function enablingHelp(
  providers: InstalledPlugin['loaded']['plugin']['providers'],
  { realmsDir }: HostOptions,
): Promise<string[]> {
  const lines: string[] = [];
  const enabled = (await realmMentions(realmsDir)).filter((one) => one.enabled);
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
