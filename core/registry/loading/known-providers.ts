import type {
  Described,
  Description,
  JsonSchema,
  Plugin,
  ProviderDefinition,
  RealmSwitch,
  Schedule,
  SharedConfig,
  Spi,
} from '@keyhost/spi';
import type { Providers } from '../generations/generation.js';
import { spiOf } from './host-spis.js';
import type { LoadedPlugin } from './load-plugins.js';
import { checkDefinition } from './plugin-shape.js';
import type { ScheduleFault } from './registered-provider.js';
import { checkSchedule } from './schedule-check.js';

/** The facts about a provider that checks of realm files and plugins.json need. */
export interface KnownProvider {
  readonly spi: string;
  readonly id: string;
  readonly enabledBy: 'providers' | 'realm-key';
  /** True if a realm can enable at most one in addition to the built-in ones. */
  readonly onePerRealm: boolean;
  /** Finds the providers that a realm enables by a setting other than `providers`. */
  readonly mentions: RealmSwitch['mentions'] | undefined;
  /** True for Keyhost's own providers, which are enabled in a realm unless it disables them. */
  readonly builtin: boolean;
  /** The schema of its configuration in a realm. */
  readonly realmConfig: JsonSchema | undefined;
  /** The provider whose realm configuration this one uses too. */
  readonly sharesConfig: SharedConfig | undefined;
  /** When its scheduled work runs, and the check of the schedule that a realm sets. */
  readonly schedule: Schedule | undefined;
  readonly scheduleFault: ScheduleFault | undefined;
  /** The schema of the settings that a realm makes for each use of the provider; their values are texts. */
  readonly settings: JsonSchema | undefined;
  /** The declaration from `provide`. */
  readonly declaration: unknown;
  /** Its texts for admins, if it declares them. */
  readonly describe: Description | undefined;
  /** Its checked host-wide configuration. */
  readonly config: unknown;
  /** True if everyone may call one of its operations without authentication. */
  readonly hasPublicOperation: boolean;
}

/** True if the SPI finds an operation in the declaration that everyone may call. */
function hasPublicOperation({ access }: Spi, declaration: unknown): boolean {
  return Object.values(access?.(declaration as Readonly<Record<string, unknown>>) ?? {}).includes('everybody');
}

function settingsOf(declaration: unknown): JsonSchema | undefined {
  return (declaration as Described).settings;
}

/** The providers of a running host, or of one of its generations. */
export function openedProviders(providers: Pick<Providers, 'list'>): readonly KnownProvider[] {
  return providers.list().map((provider) => {
    const { spi, id, plugin, realmConfig, sharesConfig, schedule, scheduleFault, config, declaration } = provider;
    return {
      spi: spi.id,
      id,
      enabledBy: spi.enabledBy,
      onePerRealm: spi.onePerRealm === true,
      mentions: spi.realm?.mentions,
      builtin: plugin.builtin,
      realmConfig,
      sharesConfig,
      schedule,
      scheduleFault,
      config,
      declaration,
      settings: settingsOf(declaration),
      describe: (declaration as Described).describe,
      hasPublicOperation: hasPublicOperation(spi, declaration),
    };
  });
}

/**
 * Returns the providers that a host would open, without opening them.
 * @throws BootError `plugin_shape`, `plugin_reserved_id`
 */
export async function declaredProviders(
  builtins: readonly Plugin[],
  loadedPlugins: readonly LoadedPlugin[],
): Promise<readonly KnownProvider[]> {
  const providers = new Map<string, KnownProvider>();
  const addProvider = (
    definition: ProviderDefinition,
    builtin: boolean,
    config: unknown,
    scheduleFault?: ScheduleFault,
  ) => {
    const spi = spiOf(definition);
    const { id, realmConfig, sharesConfig, schedule } = definition;
    providers.set(`${spi.id}/${id}`, {
      spi: spi.id,
      id,
      enabledBy: spi.enabledBy,
      onePerRealm: spi.onePerRealm === true,
      mentions: spi.realm?.mentions,
      builtin,
      realmConfig,
      sharesConfig,
      schedule,
      scheduleFault,
      config,
      declaration: definition.declaration,
      settings: settingsOf(definition.declaration),
      describe: (definition.declaration as Described).describe,
      hasPublicOperation: hasPublicOperation(spi, definition.declaration),
    });
  };
  for (const { providers } of builtins) for (const definition of providers) addProvider(definition, true, {});
  for (const { plugin, config } of loadedPlugins) {
    for (const definition of plugin.providers) {
      checkDefinition(definition, { name: plugin.name, builtin: false });
      const scheduleFault = await checkSchedule(definition, plugin.name);
      addProvider(definition, false, config.get(`${spiOf(definition).id}/${definition.id}`), scheduleFault);
    }
  }
  return [...providers.values()];
}
