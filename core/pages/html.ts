/** Markup that is safe to send. Only `html` and `styleElement` make it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  static join(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    return new Html(strings.reduce((markup, part, index) => markup + written(values[index - 1]) + part));
  }

  static style(css: string): Html {
    return new Html(`<style>${css}</style>`);
  }

  toString(): string {
    return this.#markup;
  }
}

/** Text is escaped, a list is written in its order, and `undefined` and `false` leave nothing. */
export type HtmlValue = string | number | undefined | false | Html | readonly HtmlValue[];

/** The one way to make HTML: everything put into the template is text, unless `html` made it. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.join(strings, values);
}

/** CSS that ends its element nowhere: in CSS `\\/` is `/`, and `</` has no meaning outside of strings. */
export function inertCss(css: string): string {
  return css.replaceAll('</', '<\\/');
}

/** A style element with exactly this text: HTML has no escapes there. */
export function styleElement(css: string): Html {
  return Html.style(inertCss(css));
}

function written(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(written).join('');
  return escaped(String(value));
}

/** By the names that Keycloak's pages have: scripts that read a page's addresses put back `&amp;` and no number of it. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Text that HTML shows as it is, between tags and in quoted attributes. */
function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? character);
}
