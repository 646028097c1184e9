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
import { spiOf } from './kinds.js';
import type { LoadedPlugin } from './load-plugins.js';
import { checkDefinition } from './plugin-shape.js';
import type { ScheduleFault } from './registered-provider.js';
import { checkSchedule } from './schedule-check.js';

/** What realm files and plugins.json may say of a provider. */
export interface KnownProvider {
  readonly spi: string;
  readonly id: string;
  readonly enabledBy: 'providers' | 'realm-key';
  /** True: a realm has at most one of the kind on beside the built-in ones. */
  readonly onePerRealm: boolean;
  /** Providers of the kind that a realm names elsewhere than in `providers`. */
  readonly mentions: RealmSwitch['mentions'] | undefined;
  /** True for Keyhost's own: on in a realm that does not name it. */
  readonly builtin: boolean;
  /** Schema of its configuration in a realm. */
  readonly realmConfig: JsonSchema | undefined;
  /** The provider whose configuration in a realm is also this one's. */
  readonly sharesConfig: SharedConfig | undefined;
  /** When it has scheduled work, and what is wrong with the time that a realm sets. */
  readonly schedule: Schedule | undefined;
  readonly scheduleFault: ScheduleFault | undefined;
  /** Schema of what a realm gives to each use of it, as texts. */
  readonly settings: JsonSchema | undefined;
  /** What it declared with `provide`. */
  readonly declaration: unknown;
  /** What it is, as far as it says so. */
  readonly describe: Description | undefined;
  /** Its checked host-wide configuration. */
  readonly config: unknown;
  /** True when it declares that everybody is let in to one of its operations. */
  readonly isOpen: boolean;
}

/** True when the kind reads from a declaration that everybody is let in somewhere. */
function isOpen({ access }: Spi, declaration: unknown): boolean {
  return Object.values(access?.(declaration as Readonly<Record<string, unknown>>) ?? {}).includes('everybody');
}

function settingsOf(declaration: unknown): JsonSchema | undefined {
  return (declaration as Described).settings;
}

/** The providers of a host that is open, or of one of its generations. */
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
      isOpen: isOpen(spi, declaration),
    };
  });
}

/** The providers that a host would open. @throws BootError `plugin_shape`, `plugin_reserved_id` */
export async function declaredProviders(
  builtins: readonly Plugin[],
  loaded: readonly LoadedPlugin[],
): Promise<readonly KnownProvider[]> {
  const known = new Map<string, KnownProvider>();
  const add = (definition: ProviderDefinition, builtin: boolean, config: unknown, scheduleFault?: ScheduleFault) => {
    const spi = spiOf(definition);
    const { id, realmConfig, sharesConfig, schedule } = definition;
    known.set(`${spi.id}/${id}`, {
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
      isOpen: isOpen(spi, definition.declaration),
    });
  };
  for (const { providers } of builtins) for (const definition of providers) add(definition, true, {});
  for (const { plugin, config } of loaded) {
    for (const definition of plugin.providers) {
      checkDefinition(definition, { name: plugin.name, builtin: false });
      const fault = await checkSchedule(definition, plugin.name);
      add(definition, false, config.get(`${spiOf(definition).id}/${definition.id}`), fault);
    }
  }
  return [...known.values()];
}
