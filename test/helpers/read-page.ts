import { unescapeHtml, type Visit } from './form-browser.js';

/** The code in the redirect to the application. */
export function codeOf({ location }: Visit): string | undefined {
  return location?.searchParams.get('code') ?? undefined;
}

/** The heading of the page. */
export function heading({ text }: Visit): string {
  return unescapeHtml(/<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? '');
}

/** The errors of the page's fields, from top to bottom. */
export function complaints({ text }: Visit): string[] {
  return [...text.matchAll(/class="field-error"[^>]*>([^<]*)/g)].map(([, found = '']) => unescapeHtml(found));
}

/** The names of the page's visible fields. */
export function fieldNames({ text }: Visit): string[] {
  return [...text.matchAll(/<(?:input|textarea|select)[^>]* name="([^"]*)"/g)].map(([, name = '']) => name);
}
