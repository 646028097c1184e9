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
export function pluginTemplate(word: string): PluginTemplate {
  if (word === 'spi') return { word, folder: join(TEMPLATES_DIR, word), spi: undefined, entries: ['contract'] };
  const spi = spiOf(word);
  const folder = join(TEMPLATES_DIR, templateName(spi));
  return { word: templateName(spi), folder: existsSync(folder) ? folder : undefined, spi, entries: [] };
}

function spiOf(word: string): Spi {
  const spis = templateSpis();
  const found = spis.find((spi) => templateName(spi) === word || spi.id === word);
  if (found !== undefined) return found;
  const near = didYouMean(
    word,
    spis.flatMap((spi) => [templateName(spi), spi.id]),
  );
  return usageError(
    `unknown SPI "${word}"`,
    `${near === undefined ? '' : `did you mean ${near}? `}The SPIs are ${spis.map(templateName).join(', ')}`,
  );
}
