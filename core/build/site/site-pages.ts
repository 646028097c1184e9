import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { HOST_DIR } from '../../config/host-folder.js';

/** The page that lists the others: its tables are the menu of the site. */
export const FRONT_PAGE = 'core/docs/README.md';
/** Settings for `keyhost client create` at the top of a page about a framework. */
const FRONT_MATTER = /^---\n[\s\S]*?\n---\n\s*/;
/** Folders whose pages belong to the site even if the front page does not link to each. */
const PAGE_FOLDERS = ['core/docs', 'core/spi/guide', 'core/decisions'];

export interface SitePage {
  /** The path in the repository, such as `core/docs/how-to/webhooks.md`. */
  readonly source: string;
  /** The path on the site without an ending, such as `how-to/webhooks`. */
  readonly path: string;
  readonly title: string;
  /** The page's description on the front page. */
  readonly description: string;
  readonly markdown: string;
}

/** The pages for one type of reader. */
export interface SiteGroup {
  /** Such as `How-to guides`. */
  readonly title: string;
  /** Such as `reach a goal`. */
  readonly purpose: string;
  readonly pages: readonly SitePage[];
}

export interface Site {
  readonly front: SitePage;
  readonly groups: readonly SiteGroup[];
  /** Pages that are not in the menu, such as single decisions. */
  readonly others: readonly SitePage[];
  /** All pages, by their path in the repository. */
  readonly bySource: ReadonlyMap<string, SitePage>;
}

/**
 * Reads the front page and all other pages of the site.
 * @throws Error for a page of core/docs to which the front page does not link
 */
export async function readSite(): Promise<Site> {
  const front = await readPage(FRONT_PAGE, 'The documentation of Keyhost.');
  const groups: SiteGroup[] = [];
  for (const [, title = '', purpose = '', body = ''] of front.markdown.matchAll(
    /^## ([^:\n]+): ([^\n]+)\n([\s\S]*?)(?=^## |(?![\s\S]))/gm,
  )) {
    const rows = [...body.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.*) \|$/gm)];
    const pages = rows.map(([, name = '', link = '', description = '']) =>
      readPage(posix.join(posix.dirname(FRONT_PAGE), link), description, name),
    );
    groups.push({ title, purpose, pages: await Promise.all(pages) });
  }
  const pageBySource = new Map([front, ...groups.flatMap(({ pages }) => pages)].map((page) => [page.source, page]));
  const files = (await Promise.all(PAGE_FOLDERS.map(pagesIn))).flat().filter((source) => !pageBySource.has(source));
  const unlistedPages = files.filter((source) => source.startsWith(dirname(FRONT_PAGE)));
  if (unlistedPages.length > 0) throw new Error(`${FRONT_PAGE} does not name ${unlistedPages.join(', ')}`);
  const otherPages = await Promise.all(files.map((source) => readPage(source, '')));
  const bySource = new Map([...pageBySource.values(), ...otherPages].map((page) => [page.source, page]));
  return { front, groups, others: otherPages, bySource };
}

/** Returns the path on the site for a page of the repository. */
export function sitePath(source: string): string {
  const path = source
    .replace(/^core\/docs\//, '')
    .replace(/^core\/(?=.*\/)/, '')
    .replace(/\.md$/, '');
  return path.replace(/(^|\/)README$/, '$1index');
}

async function pagesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(HOST_DIR, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.md')).map((name) => posix.join(folder, name.replaceAll('\\', '/')));
}

async function readPage(source: string, description: string, name?: string): Promise<SitePage> {
  const file = join(HOST_DIR, source);
  if (!existsSync(file)) throw new Error(`${FRONT_PAGE} names ${source}, which does not exist`);
  const markdown = (await readFile(file, 'utf8')).replace(FRONT_MATTER, '');
  const title = name ?? /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? source;
  return { source, path: sitePath(source), title, description, markdown };
}
