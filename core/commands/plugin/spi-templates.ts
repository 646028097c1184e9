import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Spi } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { HOST_SPIS } from '../../registry/loading/host-spis.js';
import { usageError } from '../command-line.js';

/** Contains a folder for each SPI with a template, named as in `plugin new`, and one for a new SPI. */
const TEMPLATES_DIR = join(HOST_DIR, 'core', 'commands', 'plugin', 'templates');

/** The template of a new plugin. */
export interface PluginTemplate {
  /** Its name in `plugin new`. */
  readonly word: string;
  /** The folder of its files; undefined for an SPI without a template. */
  readonly folder: string | undefined;
  /** Undefined for a plugin that declares an SPI. */
  readonly spi: Spi | undefined;
  /** Entry points that other packages import, in addition to the package itself. */
  readonly entries: readonly string[];
}

/** `RealmResourceProvider` → `realm-resource`. */
export function templateName({ name }: Spi): string {
  return name
    .replace(/Provider$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '-$&')
    .toLowerCase();
}

/** The SPIs of this host, sorted by name. A plugin can be created for each. */
export function templateSpis(): readonly Spi[] {
  return [...HOST_SPIS.values()].sort((a, b) => templateName(a).localeCompare(templateName(b)));
}

/**
 * The template for an SPI, by its name or ID; `spi` is the template that declares one.
 * @throws BootError `options_invalid` with the list of SPIs
 */
export function pluginTemplate(spiName: string): PluginTemplate {
  if (spiName === 'spi')
    return { word: spiName, folder: join(TEMPLATES_DIR, spiName), spi: undefined, entries: ['contract'] };
  const spi = spiOf(spiName);
  const folder = join(TEMPLATES_DIR, templateName(spi));
  return { word: templateName(spi), folder: existsSync(folder) ? folder : undefined, spi, entries: [] };
}

function spiOf(spiName: string): Spi {
  const spis = templateSpis();
  const spi = spis.find((spi) => templateName(spi) === spiName || spi.id === spiName);
  if (spi !== undefined) return spi;
  const suggestion = didYouMean(
    spiName,
    spis.flatMap((spi) => [templateName(spi), spi.id]),
  );
  return usageError(
    `unknown SPI "${spiName}"`,
    `${suggestion === undefined ? '' : `did you mean ${suggestion}? `}The SPIs are ${spis.map(templateName).join(', ')}`,
  );
}
