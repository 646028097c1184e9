import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { close, createIndex } from 'pagefind';
import { HOST_DIR } from '../../config/host-folder.js';
import { hostVersion } from '../../config/host-version.js';
import { openApi } from '../reference/admin-api-page.js';
import { llmsFull, llmsIndex, markdownOf } from './llms-texts.js';
import { notFoundPage, pageLayout } from './page-layout.js';
import { PageLinks, picturePath } from './page-links.js';
import { renderMarkdown } from './render-markdown.js';
import { readSite } from './site-pages.js';
import { versionsIn } from './versions.js';

/** The address of the published site. */
export const ADDRESS = 'https://keyhost.github.io/keyhost/';
const ASSETS = join(HOST_DIR, 'core', 'build', 'site', 'assets');
const ICON = join(HOST_DIR, 'core', 'admin-console', 'app', 'src', 'icon.svg');

/**
 * Builds the site of this version into a folder of its own, next to those of other versions.
 * @throws Error for a link or a picture without a target
 */
export async function buildSite(dir: string): Promise<void> {
  const version = hostVersion();
  const temporaryFolder = join(dir, `.${version}`);
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder, { recursive: true });
  await writeVersion(temporaryFolder, version);
  await rm(join(dir, version), { recursive: true, force: true });
  await rename(temporaryFolder, join(dir, version));
  await writeRoot(dir);
}

async function writeVersion(dir: string, version: string): Promise<void> {
  const site = await readSite();
  const links = new PageLinks(site, version);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  };
  for (const page of site.bySource.values()) {
    await write(`${page.path}.html`, pageLayout({ site, links, version }, page, renderMarkdown(page, links)));
    await write(`${page.path}.md`, markdownOf(page, links));
  }
  const root = `${ADDRESS}${version}/`;
  await write('llms.txt', llmsIndex(site, root));
  await write('llms-full.txt', llmsFull(site, links, root));
  await write('404.html', notFoundPage(root));
  await write('reference/openapi.json', JSON.stringify(openApi('https://id.example.com', version)));
  await cp(ASSETS, join(dir, 'assets'), { recursive: true });
  await cp(ICON, join(dir, 'assets', 'icon.svg'));
  for (const picture of links.pictures) {
    await mkdir(dirname(join(dir, picturePath(picture))), { recursive: true });
    await cp(join(HOST_DIR, picture), join(dir, picturePath(picture)));
  }
  await writeSearch(dir);
}

/** Writes Pagefind's search index, and the program that reads it. */
async function writeSearch(dir: string): Promise<void> {
  const { index, errors } = await createIndex({});
  if (index === undefined) throw new Error(`Pagefind: ${errors.join(', ')}`);
  const indexing = await index.addDirectory({ path: dir });
  const writing = await index.writeFiles({ outputPath: join(dir, 'pagefind') });
  await close();
  const failures = [...indexing.errors, ...writing.errors];
  if (failures.length > 0) throw new Error(`Pagefind: ${failures.join(', ')}`);
  await cp(join(HOST_DIR, 'node_modules', 'pagefind', 'LICENSE'), join(dir, 'pagefind', 'LICENSE'), {
    recursive: true,
  });
}

/** Writes the files above the versions: their list, and a redirect to the newest one. */
async function writeRoot(dir: string): Promise<void> {
  const versions = await versionsIn(dir);
  const [newest = ''] = versions;
  await writeFile(join(dir, 'versions.json'), JSON.stringify(versions));
  const address = `${newest}/index.html`;
  await writeFile(
    join(dir, 'index.html'),
    `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Keyhost documentation</title><meta http-equiv="refresh" content="0; url=${address}"><link rel="canonical" href="${ADDRESS}${address}"><a href="${address}">Keyhost documentation</a></html>\n`,
  );
  for (const name of ['404.html', 'llms.txt', 'llms-full.txt']) await cp(join(dir, newest, name), join(dir, name));
}
