import type { ProviderDefinition, Spi } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { spiOf } from './host-spis.js';

/**
 * Checks that a provider was written for a version of its SPI that this host supports.
 * @param spi the host's own constant
 * @throws BootError `plugin_api`
 */
export function checkVersion(definition: ProviderDefinition, module: string, spi: Spi = spiOf(definition)): void {
  const { version, oldestVersion, name } = spi;
  const written = versionOf(definition);
  if (Number.isInteger(written) && written <= version && written >= oldestVersion) return;
  const offered = oldestVersion === version ? `version ${version}` : `versions ${oldestVersion} to ${version}`;
  const what = `${definition.spi.id}/${definition.id}`;
  throw new BootError(
    'plugin_api',
    `${module}: ${what} was written for version ${written} of ${name}, this host offers ${offered}`,
    {
      plugin: module,
      hint:
        written > version
          ? 'install a newer Keyhost, or an older version of the plugin'
          : 'install a newer version of the plugin',
    },
  );
}

/** The deprecated members that providers use: one sentence each, with the plugin, the provider and the member. */
export function deprecations(definitions: readonly ProviderDefinition[], module: string): string[] {
  return definitions.flatMap((definition) => {
    const { version, name, deprecated } = spiOf(definition);
    const what = `${module}: ${definition.spi.id}/${definition.id}`;
    const written = versionOf(definition);
    const members = Object.entries(deprecated)
      .filter(([member]) => definition.declaration[member] !== undefined)
      .map(([member, instead]) => `${what} declares "${member}", which is deprecated: ${instead}`);
    return written === version
      ? members
      : [
          `${what} was written for version ${written} of ${name}, which is deprecated: ${version} is current`,
          ...members,
        ];
  });
}

/**
 * A plugin's own copy of the SPI may be older than versions of SPIs: then the version is a member of the declaration,
 * or absent.
 */
export function versionOf({ version, declaration }: Partial<ProviderDefinition>): number {
  return version ?? (declaration?.version as number | undefined) ?? 1;
}
