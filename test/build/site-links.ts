/** The links of a page within its site, and what it loads from there. */
export function linksIn(html: string): string[] {
  const found = [...html.matchAll(/\s(?:href|src|data-program)="([^"]*)"/g)].map(([, link = '']) => link);
  return found.filter(
    (link) => !/^([a-z]+:|\/)/.test(link) && !link.startsWith('pagefind/') && !link.includes('/pagefind/'),
  );
}

/** The possible targets of links to a section of the page. */
export function idsIn(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id));
}
