import type { PluginEntry } from '../../config/plugins-file.js';
import type { PluginsStatus } from '../../registry/updates/update-report.js';
import type { AdminTexts } from '../admin-texts.js';
import { SHIPPED_PLUGINS, type ShippedPlugin } from './shipped-plugins.js';
import { GERMAN } from './shipped-plugins-german.js';

/** A shipped package in the response of `GET /admin/plugins/catalogue`. */
export interface CataloguePlugin extends Pick<ShippedPlugin, 'module' | 'title' | 'purpose' | 'provides'> {
  readonly needs: readonly { readonly right: string; readonly reason: string }[];
  /** `running`, `down` or `left out` if plugins.json has it, otherwise `not loaded`. */
  readonly state: string;
  /** The command that adds it to the providers folder and to plugins.json. */
  readonly command: string;
  /** Its entry in `plugins` of plugins.json. */
  readonly entry: Partial<PluginEntry>;
}

const GERMAN_TEXTS = { plugin: { messages: { de: GERMAN } } };

/** The packages that the project ships, with their state on this host. */
export function describeCatalogue({ plugins }: Pick<PluginsStatus, 'plugins'>, texts: AdminTexts): CataloguePlugin[] {
  const states = new Map(plugins.map(({ module, state }) => [module, state]));
  const translate = (text: string) => texts.text(GERMAN_TEXTS, text);
  return SHIPPED_PLUGINS.map((plugin) => {
    const { module, title, purpose, provides, needs = {} } = plugin;
    const rights = Object.entries(needs).map(([right, reason]) => ({ right, reason: translate(String(reason)) }));
    return {
      module,
      title: translate(title),
      purpose: translate(purpose),
      provides,
      needs: rights,
      state: states.get(module) ?? 'not loaded',
      command: `npx keyhost plugin add ${module}${rights.length === 0 ? '' : ' --grant'}`,
      entry: entryOf(plugin),
    };
  });
}

function entryOf({ module, needs = {}, config }: ShippedPlugin): Partial<PluginEntry> {
  const rights = Object.keys(needs) as (keyof typeof needs)[];
  return {
    module,
    ...(rights.length === 0 ? {} : { grants: { '*': rights } }),
    ...(config === undefined ? {} : { config }),
  };
}
