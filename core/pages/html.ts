/** Markup that is safe to send. Only `html` and `styleElement` create it. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  static join(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    return new Html(strings.reduce((markup, part, index) => markup + renderValue(values[index - 1]) + part));
  }

  static style(css: string): Html {
    return new Html(`<style>${css}</style>`);
  }

  toString(): string {
    return this.#markup;
  }
}

/** Text is escaped, lists are concatenated, and `undefined` and `false` are left out. */
export type HtmlValue = string | number | undefined | false | Html | readonly HtmlValue[];

/**
 * Creates HTML from a template. All values are escaped, except other HTML. Apart from `styleElement`, this is the only
 * way to create HTML.
 */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return Html.join(strings, values);
}

/**
 * Escapes CSS so that it cannot end its style element. In CSS, `\\/` means `/`, and `</` has no meaning outside of
 * strings.
 */
export function escapeCss(css: string): string {
  return css.replaceAll('</', '<\\/');
}

/** A style element with this CSS. It is not escaped like other text, because HTML has no escapes in style elements. */
export function styleElement(css: string): Html {
  return Html.style(escapeCss(css));
}

function renderValue(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeHtml(String(value));
}

/**
 * Named entities as on Keycloak's pages: scripts that extract URLs from pages unescape `&amp;` but not its numeric
 * form.
 */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Escapes text for use between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"'`]/g, (character) => ESCAPES[character] ?? character);
}
