import { createRequire } from 'node:module';
import markdownIt from 'markdown-it';
import type { PageLinks } from './page-links.js';
import type { SitePage } from './site-pages.js';

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}

// Not an `import`: its types would add those of browsers to the whole host.
const highlighter: Highlighter = createRequire(import.meta.url)('highlight.js/lib/common');

export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/**
 * Renders the body of a page as HTML, with GitHub's anchors, links within the site, highlighted code, and tables that
 * scroll.
 */
export function renderMarkdown(page: SitePage, links: PageLinks): Rendered {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  const markdown = markdownIt({ html: true, highlight });
  const { rules } = markdown.renderer;
  const openHeading: typeof rules.heading_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const inline = tokens[index + 1];
    if (token === undefined || inline === undefined) return '';
    const text = (inline.children ?? []).map(({ content }) => content).join('');
    const id = uniqueId(text, ids);
    token.attrSet('id', id);
    headings.push({ level: Number(token.tag.slice(1)), id, text });
    return self.renderToken(tokens, index, options);
  };
  rules.heading_open = openHeading;
  rules.heading_close = (tokens, index, options, _env, self) => {
    const { id = '', level = 1 } = headings.at(-1) ?? {};
    const anchor =
      level === 1
        ? ''
        : ` <a class="anchor" data-pagefind-ignore href="#${id}" aria-label="Link to this section">#</a>`;
    return anchor + self.renderToken(tokens, index, options);
  };
  rules.link_open = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    token?.attrSet('href', links.link(page, String(token.attrGet('href'))));
    return self.renderToken(tokens, index, options);
  };
  const image = rules.image;
  rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index];
    token?.attrSet('src', links.picture(page, String(token.attrGet('src'))));
    token?.attrSet('loading', 'lazy');
    return image?.(tokens, index, options, env, self) ?? '';
  };
  // Scrollable blocks must be reachable by keyboard.
  const fence = rules.fence;
  rules.fence = (...block) => (fence?.(...block) ?? '').replace('<pre>', '<pre tabindex="0">');
  rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
  rules.table_close = () => '</table></div>\n';
  const html = markdown.render(page.markdown.replace(/^<!--[\s\S]*?-->\n/gm, ''));
  return { html, headings };
}

function highlight(code: string, language: string): string {
  // Not for shell commands, in which words such as `test` would be marked as built-ins.
  if (/^(console|sh)$/.test(language) || highlighter.getLanguage(language) === undefined) return '';
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Returns the section ID of a heading as GitHub does, so that links work on both sites. */
function uniqueId(text: string, ids: Map<string, number>): string {
  const id = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const previousCount = ids.get(id) ?? 0;
  ids.set(id, previousCount + 1);
  return previousCount === 0 ? id : `${id}-${previousCount}`;
}
