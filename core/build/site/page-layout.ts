import { type PageLinks, relativePath } from './page-links.js';
import type { Heading, Rendered } from './render-markdown.js';
import type { Site, SiteGroup, SitePage } from './site-pages.js';

/** Scripts and styles are files of the site. The search program is WebAssembly. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:; base-uri 'none'; form-action 'none'; object-src 'none'";

export interface LayoutParts {
  readonly site: Site;
  readonly links: PageLinks;
  readonly version: string;
}

/** Returns the HTML document of a page. */
export function pageLayout(
  { site, links, version }: LayoutParts,
  page: SitePage,
  { html, headings }: Rendered,
): string {
  const urlOf = (path: string) => relativePath(page.path, path);
  const isFront = page === site.front;
  const title = isFront ? 'Keyhost documentation' : `${page.title} · Keyhost`;
  const group = site.groups.find(({ pages }) => pages.includes(page));
  return `${head(title, page.description, urlOf)}
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="menu" href="${urlOf('index.html')}" aria-controls="menu" aria-expanded="false">Menu</a>
<a class="brand" href="${urlOf('index.html')}">Keyhost</a>
<label class="version"><span class="hidden">Version</span><select data-version="${escapeHtml(version)}" data-page="${page.path}.html" data-versions="${urlOf('../versions.json')}"><option>${escapeHtml(version)}</option></select></label>
<div class="search" role="search" data-program="${urlOf('pagefind/pagefind.js')}"><input type="search" placeholder="Search" aria-label="Search the documentation" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list" autocomplete="off" spellcheck="false"><kbd>/</kbd><ul id="results" role="listbox" aria-label="Results" hidden></ul><p class="hidden" role="status"></p></div>
<button class="theme" type="button" aria-label="Dark mode" aria-pressed="false"></button>
<a class="repository" href="https://github.com/keyhost/keyhost">GitHub</a>
</header>
<div class="page">
<nav id="menu" class="pages" aria-label="Pages">
${site.groups.map((one) => menuGroup(one, page, urlOf)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article data-pagefind-body${searchAttributes(page, group === site.groups.at(-1) ? undefined : group)}>
${html}</article>
<footer>${nextAndBefore(site, page, urlOf)}
<p><a href="${links.source(page)}">Source of this page</a> · <a href="${urlOf(`${page.path}.md`)}">As Markdown</a></p></footer>
</main>
${tableOfContents(headings)}
</div>
</body>
</html>
`;
}

/**
 * Returns the page for unknown addresses. It is shown at any address, so its links begin with the address of the site.
 */
export function notFoundPage(root: string): string {
  const urlOf = (path: string) => `${root}${path}`;
  return `${head('Page not found · Keyhost', '', urlOf)}
<body>
<header class="top"><a class="brand" href="${urlOf('index.html')}">Keyhost</a></header>
<div class="page alone"><main id="content"><article>
<h1>Page not found</h1>
<p>This page does not exist in this version of the documentation.</p>
<p><a href="${urlOf('index.html')}">All pages</a></p>
</article></main></div>
</body>
</html>
`;
}

function head(title: string, description: string, urlOf: (path: string) => string): string {
  const descriptionTag = description === '' ? '' : `\n<meta name="description" content="${escapeHtml(description)}">`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>${descriptionTag}
<link rel="icon" href="${urlOf('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${urlOf('assets/site.css')}">
<script src="${urlOf('assets/theme.js')}"></script>
<script type="module" src="${urlOf('assets/site.js')}"></script>
</head>`;
}

function menuGroup({ title, pages }: SiteGroup, current: SitePage, urlOf: (path: string) => string): string {
  const items = pages.map((page) => {
    const currentMark = page === current ? ' aria-current="page"' : '';
    return `<li><a href="${urlOf(`${page.path}.html`)}"${currentMark}>${escapeHtml(page.title)}</a></li>`;
  });
  return `<h2>${escapeHtml(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
}

/**
 * Returns the attributes of a page for the search: its name in the menu, and a lower weight for pages such as
 * decisions. Readers mostly search for a task or a fact.
 */
function searchAttributes({ title, source }: SitePage, group: SiteGroup | undefined): string {
  const isRankedLower = group === undefined || source.startsWith('test/');
  // For Pagefind, a comma ends the value.
  const name = title.includes(',') ? '' : ` data-pagefind-meta="title:${escapeHtml(title)}"`;
  return `${name}${isRankedLower ? ' data-pagefind-weight="0.3"' : ''}`;
}

function tableOfContents(headings: readonly Heading[]): string {
  const shownHeadings = headings.filter(({ level }) => level === 2 || level === 3);
  if (shownHeadings.length < 2) return '';
  const items = shownHeadings.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>\n${items.join('\n')}\n</ul></nav>`;
}

function nextAndBefore({ groups }: Site, page: SitePage, urlOf: (path: string) => string): string {
  const pages = groups.flatMap(({ pages }) => pages);
  const pageIndex = pages.indexOf(page);
  const link = (other: SitePage | undefined, label: string, rel: string) =>
    other === undefined
      ? ''
      : `<a rel="${rel}" href="${urlOf(`${other.path}.html`)}"><span>${label}</span> ${escapeHtml(other.title)}</a>`;
  if (pageIndex < 0) return '';
  return `<nav class="around" aria-label="Pages before and after">${link(pages[pageIndex - 1], 'Previous', 'prev')}${link(pages[pageIndex + 1], 'Next', 'next')}</nav>`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
