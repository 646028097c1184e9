import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Spi } from '@keyhost/spi';
import { HOST_DIR } from '../../config/host-folder.js';
import { HOST_SPIS } from '../../registry/loading/host-spis.js';
import { code, table } from './markdown.js';

/** The page with the table, relative to the folder of the repository. */
export const SPI_PAGE = 'core/spi/README.md';

const BEGIN = '<!-- spis:begin: written by `npm run reference` from core/spi/spis -->';
const END = '<!-- spis:end -->';

/** How a realm enables providers of an SPI that no member of the realm lists, by the ID of the SPI. */
const ENABLED_BY: Readonly<Record<string, string>> = {
  authenticator: 'a flow that names it',
  'client-authenticator': 'a client that names it',
  'form-action': 'a registration form that names it',
  'protocol-mapper': 'a mapper that names it',
  theme: '`loginTheme`, `accountTheme`, `emailTheme`',
  validator: 'an attribute of the user profile that names it',
};

/**
 * Returns the page with a current table of all SPIs.
 * @throws Error if the page has no place for the table
 */
export async function spiPage(): Promise<string> {
  const text = await readFile(join(HOST_DIR, SPI_PAGE), 'utf8');
  const beginIndex = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (beginIndex < 0 || end < beginIndex) throw new Error(`${SPI_PAGE} must have ${BEGIN} and ${END}`);
  return `${text.slice(0, beginIndex)}${BEGIN}\n\n${spiTable([...HOST_SPIS.values()])}\n\n${text.slice(end)}`;
}

function spiTable(spis: readonly Spi[]): string {
  return table(
    ['constant', 'ID', 'name for `plugin new`', 'enabled by'],
    spis.map((spi) => [code(spi.name), code(spi.id), code(templateName(spi)), enabledBy(spi)]),
  );
}

function enabledBy({ id, realm }: Spi): string {
  return ENABLED_BY[id] ?? `${code(realm?.key ?? 'providers')} of the realm`;
}

/** The name that `keyhost plugin new` accepts: `RealmResourceProvider` → `realm-resource`. */
function templateName({ name }: Spi): string {
  const words = name.replace(/Provider$/, '').match(/[A-Z][a-z]*/g) ?? [];
  return words.join('-').toLowerCase();
}
