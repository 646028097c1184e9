import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Spi } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { KINDS } from '../../registry/loading/kinds.js';
import { misused } from '../command-line.js';

/** Contains a folder for each SPI with a template, named as in `plugin new`, and one for a new SPI. */
const TEMPLATES_DIR = join(HOST_DIR, 'core', 'commands', 'plugin', 'templates');

/** The template of a new plugin. */
export interface Beginning {
  /** Its name in `plugin new`. */
  readonly word: string;
  /** The folder of its files; undefined for an SPI without a template. */
  readonly folder: string | undefined;
  /** Undefined for a plugin that declares an SPI. */
  readonly kind: Spi | undefined;
  /** Entry points that other packages import, in addition to the package itself. */
  readonly entries: readonly string[];
}

/** `RealmResourceProvider` → `realm-resource`. */
export function kindName({ name }: Spi): string {
  return name
    .replace(/Provider$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '-$&')
    .toLowerCase();
}

/** The SPIs of this host, sorted by name. A plugin can be created for each. */
export function newKinds(): readonly Spi[] {
  return [...KINDS.values()].sort((a, b) => kindName(a).localeCompare(kindName(b)));
}

/**
 * The template for an SPI, by its name or ID; `spi` is the template that declares one.
 * @throws BootError `options_invalid` with the list of SPIs
 */
export function beginningOf(word: string): Beginning {
  if (word === 'spi') return { word, folder: join(TEMPLATES_DIR, word), kind: undefined, entries: ['contract'] };
  const kind = kindOf(word);
  const folder = join(TEMPLATES_DIR, kindName(kind));
  return { word: kindName(kind), folder: existsSync(folder) ? folder : undefined, kind, entries: [] };
}

function kindOf(word: string): Spi {
  const kinds = newKinds();
  const found = kinds.find((kind) => kindName(kind) === word || kind.id === word);
  if (found !== undefined) return found;
  const near = didYouMean(
    word,
    kinds.flatMap((kind) => [kindName(kind), kind.id]),
  );
  return misused(
    `unknown kind "${word}"`,
    `${near === undefined ? '' : `did you mean ${near}? `}The kinds are ${kinds.map(kindName).join(', ')}`,
  );
}
