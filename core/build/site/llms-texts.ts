import type { PageLinks } from './page-links.js';
import type { Site, SitePage } from './site-pages.js';

const SUMMARY =
  'An identity server in TypeScript. It speaks Keycloak’s protocol, reads Keycloak’s realm files, and runs npm packages as plugins.';

/**
 * Returns `llms.txt` (https://llmstxt.org), which links to the Markdown of every page.
 * @param root the address of this version
 */
export function llmsIndex({ groups, others }: Site, root: string): string {
  const line = ({ title, path, description }: SitePage) =>
    `- [${title}](${root}${path}.md)${description === '' ? '' : `: ${description}`}`;
  const openApi = `- [OpenAPI document of the Admin REST API](${root}reference/openapi.json)`;
  const parts = groups.map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}`);
  return `${['# Keyhost', `> ${SUMMARY}`, ...parts, `## Optional\n\n${[...others.map(line), openApi].join('\n')}`].join('\n\n')}\n`;
}

/** Returns `llms-full.txt`, which contains all pages of the menu. */
export function llmsFull({ groups }: Site, links: PageLinks, root: string): string {
  const pages = groups.flatMap((group) => group.pages);
  const parts = pages.map((page) => `<!-- ${root}${page.path}.md -->\n\n${markdownOf(page, links).trim()}`);
  return `${[`# Keyhost\n\n> ${SUMMARY}`, ...parts].join('\n\n')}\n`;
}

/** Returns the Markdown of a page with links of the site. */
export function markdownOf(page: SitePage, links: PageLinks): string {
  const segments = page.markdown.split(/(^ *```[\s\S]*?^ *```$)/gm);
  return segments
    .map((part) =>
      /^ *```/.test(part)
        ? part
        : part
            .replace(/^<!--[\s\S]*?-->\n\n?/gm, '')
            .replace(
              /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g,
              (_, picture: string, text: string, href: string) =>
                picture === ''
                  ? `[${text}](${links.link(page, href, '.md')})`
                  : `![${text}](${links.picture(page, href)})`,
            ),
    )
    .join('');
}
