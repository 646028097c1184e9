import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import test from 'ava';
import { markdownOf } from '../../core/build/site/llms-texts.js';
import { pageLayout } from '../../core/build/site/page-layout.js';
import { PageLinks, picturePath } from '../../core/build/site/page-links.js';
import { renderMarkdown } from '../../core/build/site/render-markdown.js';
import { readSite, sitePath } from '../../core/build/site/site-pages.js';
import { versionsIn } from '../../core/build/site/versions.js';
import { idsIn, linksIn } from './site-links.js';

const site = await readSite();
const links = new PageLinks(site, '1.2.3');
const pages = new Map(
  [...site.bySource.values()].map((page) => [
    `${page.path}.html`,
    pageLayout({ site, links, version: '1.2.3' }, page, renderMarkdown(page, links)),
  ]),
);

test('documentation site: every link and every anchor of the documentation resolves', (t) => {
  const ids = new Map([...pages].map(([path, html]) => [path, idsIn(html)]));
  const others = new Set([...links.pictures].map(picturePath));
  for (const path of pages.keys()) others.add(path.replace(/html$/, 'md'));
  const wrong: string[] = [];
  for (const [path, html] of pages) {
    for (const link of linksIn(html)) {
      const [file = '', id] = link.split('#');
      const target = file === '' ? path : posix.join(posix.dirname(path), file);
      if (/^assets\//.test(target) || others.has(target)) continue;
      const there = ids.get(target);
      if (there === undefined || (id !== undefined && !there.has(decodeURIComponent(id))))
        wrong.push(`${path}: ${link}`);
    }
  }
  t.true(pages.size > 40);
  t.deepEqual(wrong, []);
});

test('documentation site: pages are grouped by reader, and modules keep their folder', (t) => {
  t.is(sitePath('core/docs/README.md'), 'index');
  t.is(sitePath('core/docs/how-to/webhooks.md'), 'how-to/webhooks');
  t.is(sitePath('core/spi/guide/spis.md'), 'spi/guide/spis');
  t.is(sitePath('core/README.md'), 'core/index');
  t.is(sitePath('realms/README.md'), 'realms/index');
  t.is(new Set([...site.bySource.values()].map(({ path }) => path)).size, site.bySource.size);
  t.deepEqual(
    site.groups.map(({ title }) => title),
    ['Tutorials', 'How-to guides', 'Reference', 'Explanation'],
  );
});

test('documentation site: a link to a file that is no page leads to the repository, at the version', (t) => {
  const page = site.front;
  t.is(links.link(page, 'how-to/webhooks.md#retries'), 'how-to/webhooks.html#retries');
  t.is(links.link(page, '../spi/'), 'spi/index.html');
  t.is(links.link(page, '../spi/index.ts'), 'https://github.com/keyhost/keyhost/blob/v1.2.3/core/spi/index.ts');
  t.is(links.link(page, '../oidc'), 'https://github.com/keyhost/keyhost/tree/v1.2.3/core/oidc');
  t.is(links.link(page, 'https://github.com/keyhost/keyhost/blob/main/realms/README.md'), 'realms/index.html');
  t.is(links.link(page, 'https://example.com/x.md'), 'https://example.com/x.md');
  t.throws(() => links.link(page, 'how-to/none.md'), { message: /core\/docs\/README.md links to how-to\/none.md/ });
});

test('documentation site: a page for programs has the links of the site, and code unchanged', (t) => {
  const page = {
    ...site.front,
    markdown: '# T\n\n[a](how-to/webhooks.md#b) [c](../spi/index.ts)\n\n```ts\nconst x = y[0](how-to/none.md);\n```\n',
  };
  t.is(
    markdownOf(page, links),
    '# T\n\n[a](how-to/webhooks.md#b) [c](https://github.com/keyhost/keyhost/blob/v1.2.3/core/spi/index.ts)\n\n```ts\nconst x = y[0](how-to/none.md);\n```\n',
  );
});

test('documentation site: versions are listed newest first, releases before prereleases', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'keyhost-versions-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  for (const name of ['0.9.0', '0.10.0', '1.0.0', '1.0.0-rc.2', '1.0.0-rc.10', '.git']) await mkdir(join(dir, name));
  await writeFile(join(dir, '2.0.0'), '');
  t.deepEqual(await versionsIn(dir), ['1.0.0', '1.0.0-rc.10', '1.0.0-rc.2', '0.10.0', '0.9.0']);
});

test('documentation site: the site is not in the package, and loads from no other origin', async (t) => {
  const { files } = JSON.parse(await readFile('package.json', 'utf8')) as { files: string[] };
  t.false(files.some((file) => 'dist/docs'.startsWith(file)));
  const loaded = [...pages.values()].flatMap((html) => [
    ...html.matchAll(/<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"/g),
  ]);
  t.deepEqual(
    loaded.map(([, address = '']) => address).filter((address) => /^([a-z]+:|\/)/.test(address)),
    [],
  );
});
