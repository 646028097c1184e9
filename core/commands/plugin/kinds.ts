import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Spi } from '@keyhost/spi';
import { didYouMean } from '../../config/did-you-mean.js';
import { KINDS } from '../../registry/loading/kinds.js';
import { misused } from './command-words.js';
import { HOST_DIR } from './installation.js';

/** One folder for each kind, named as `plugin new` calls it. */
export const TEMPLATES_DIR = join(HOST_DIR, 'core', 'commands', 'plugin', 'templates');

/** `RealmResourceProvider` → `realm-resource`. */
export function kindName({ name }: Spi): string {
  return name
    .replace(/Provider$/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '-$&')
    .toLowerCase();
}

/** The kinds of this host that a plugin can be begun with, in the order of their names. */
export function newKinds(): readonly Spi[] {
  const templates = new Set(readdirSync(TEMPLATES_DIR));
  return [...KINDS.values()]
    .filter((kind) => templates.has(kindName(kind)))
    .sort((a, b) => kindName(a).localeCompare(kindName(b)));
}

/** The kind of this name, or of this SPI id. @throws BootError `options_invalid` listing those that there are */
export function kindOf(word: string): Spi {
  const kinds = newKinds();
  const found = kinds.find((kind) => kindName(kind) === word || kind.id === word);
  if (found !== undefined) return found;
  const near = didYouMean(
    word,
    kinds.flatMap((kind) => [kindName(kind), kind.id]),
  );
  return misused(
    `this Keyhost has no kind "${word}"`,
    `${near === undefined ? '' : `did you mean ${near}? `}it has ${kinds.map(kindName).join(', ')}`,
  );
}
