import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Spi } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { HOST_SPIS } from '../../registry/loading/host-spis.js';
import { usageError } from '../command-line.js';

/**
 * The folder with the templates. Each template is a subfolder, with the name that `plugin new` takes. The template
 * `spi` declares a new SPI.
 */
const TEMPLATES_DIR = join(HOST_DIR, 'core', 'commands', 'plugin', 'templates');

/** The template of a new plugin. */
export interface PluginTemplate {
  /** The template's name in `plugin new`. */
  readonly name: string;
  /** The folder of its files; undefined if the SPI has none. Its files are then generated. */
  readonly folder: string | undefined;
  /** Undefined for a plugin that declares an SPI. */
  readonly spi: Spi | undefined;
  /** Entry points of the new package, such as `contract`, in addition to the main one. */
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
export function sortedSpis(): readonly Spi[] {
  return [...HOST_SPIS.values()].sort((a, b) => templateName(a).localeCompare(templateName(b)));
}

/**
 * Finds the template for an SPI by the template's name or the SPI's ID. The template `spi` declares a new SPI.
 * @throws BootError `options_invalid` with the list of SPIs
 */
export function pluginTemplate(spiName: string): PluginTemplate {
  if (spiName === 'spi')
    return { name: spiName, folder: join(TEMPLATES_DIR, spiName), spi: undefined, entries: ['contract'] };
  const spi = spiOf(spiName);
  const folder = join(TEMPLATES_DIR, templateName(spi));
  return { name: templateName(spi), folder: existsSync(folder) ? folder : undefined, spi, entries: [] };
}

function spiOf(spiName: string): Spi {
  const spis = sortedSpis();
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
