import type { ProviderDefinition, Spi } from '@keyhost/spi';
import { BootError } from '../../config/boot-error.js';
import { spiOf } from './host-spis.js';

/**
 * Checks that a provider was written for a version of its SPI that this host supports.
 * @param spi the host's definition of the SPI
 * @throws BootError `plugin_api`
 */
export function checkVersion(definition: ProviderDefinition, module: string, spi: Spi = spiOf(definition)): void {
  const { version, oldestVersion, name } = spi;
  const writtenVersion = versionOf(definition);
  if (Number.isInteger(writtenVersion) && writtenVersion <= version && writtenVersion >= oldestVersion) return;
  const supportedVersions =
    oldestVersion === version ? `version ${version}` : `versions ${oldestVersion} to ${version}`;
  const providerName = `${definition.spi.id}/${definition.id}`;
  throw new BootError(
    'plugin_api',
    `${module}: ${providerName} was written for version ${writtenVersion} of ${name}, this host offers ${supportedVersions}`,
    {
      plugin: module,
      hint:
        writtenVersion > version
          ? 'install a newer Keyhost, or an older version of the plugin'
          : 'install a newer version of the plugin',
    },
  );
}

/**
 * Returns the deprecations that affect these providers, one sentence each, with the plugin, the provider and the
 * member.
 */
export function deprecations(definitions: readonly ProviderDefinition[], module: string): string[] {
  return definitions.flatMap((definition) => {
    const { version, name, deprecated } = spiOf(definition);
    const prefix = `${module}: ${definition.spi.id}/${definition.id}`;
    const writtenVersion = versionOf(definition);
    const members = Object.entries(deprecated)
      .filter(([member]) => definition.declaration[member] !== undefined)
      .map(([member, replacement]) => `${prefix} declares "${member}", which is deprecated: ${replacement}`);
    return writtenVersion === version
      ? members
      : [
          `${prefix} was written for version ${writtenVersion} of ${name}, which is deprecated: ${version} is current`,
          ...members,
        ];
  });
}

/**
 * Returns the SPI version for which a provider was written. A plugin's copy of the SPI package may predate versions of
 * SPIs. Then the version is in the declaration, or it is absent and means 1.
 */
export function versionOf({ version, declaration }: Partial<ProviderDefinition>): number {
  return version ?? (declaration?.version as number | undefined) ?? 1;
}
