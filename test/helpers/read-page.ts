import { unescapeHtml, type Visit } from './form-browser.js';

/** The code that the application was sent. */
export function codeOf({ location }: Visit): string | undefined {
  return location?.searchParams.get('code') ?? undefined;
}

/** What the page is called. */
export function heading({ text }: Visit): string {
  return unescapeHtml(/<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? '');
}

/** What the page's fields complain of, from top to bottom. */
export function complaints({ text }: Visit): string[] {
  return [...text.matchAll(/class="field-error"[^>]*>([^<]*)/g)].map(([, found = '']) => unescapeHtml(found));
}

/** The names of the page's fields that are seen. */
export function fieldNames({ text }: Visit): string[] {
  return [...text.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]*)"/g)].map(([, name = '']) => name);
}
