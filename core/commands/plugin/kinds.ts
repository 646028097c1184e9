import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Spi } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { KINDS } from '../../registry/loading/kinds.js';
import { misused } from '../command-line.js';

/** One folder for each kind that has one, named as `plugin new` calls it, and for an SPI of one's own. */
const TEMPLATES_DIR = join(HOST_DIR, 'core', 'commands', 'plugin', 'templates');

/** What a plugin is begun with. */
export interface Beginning {
  /** As `plugin new` calls it. */
  readonly word: string;
  /** Where its files are; undefined for a kind that has none of its own. */
  readonly folder: string | undefined;
  /** Undefined for a plugin that declares a kind. */
  readonly kind: Spi | undefined;
  /** What other packages import of it, beside the package itself. */
  readonly entries: readonly string[];
}

/** `RealmResourceProvider` → `realm-resource`. */
export function kindName({ name }: Spi): string {
  return name
    .replace(/Provider$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '-$&')
    .toLowerCase();
}

/** The kinds of this host, all of which a plugin can be begun with, in the order of their names. */
export function newKinds(): readonly Spi[] {
  return [...KINDS.values()].sort((a, b) => kindName(a).localeCompare(kindName(b)));
}

/**
 * How a plugin of this kind is begun, by its name or its SPI id; `spi` declares one.
 * @throws BootError `options_invalid` listing the kinds
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
