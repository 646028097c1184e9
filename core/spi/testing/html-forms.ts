/** A form of a page, as a browser without scripts reads it. */
export interface HtmlForm {
  /** The form's `action` attribute; empty for the page's own URL. */
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly markup: string;
  readonly controls: readonly Control[];
}

/** A field or a button of a form. */
export interface Control {
  readonly name: string;
  /** `select` and `textarea`, or the `type` of an `input` or `button`, in lower case. */
  readonly type: string;
  readonly attributes: Attributes;
  /**
   * The values that a browser submits if the user changes nothing: none for an unchecked box, possibly several for a
   * list. A button has its own value.
   */
  readonly values: readonly string[];
  /** The values that a `select` offers. */
  readonly options: readonly string[];
}

export type Attributes = ReadonlyMap<string, string>;

/** The part of a tag between its name and `>`. Quoted values may contain `>`. */
const TAG_CONTENT = `(?:[^>"']|"[^"]*"|'[^']*')*`;
const FORM = new RegExp(`<form\\b(${TAG_CONTENT})>([\\s\\S]*?)</form\\s*>`, 'gi');
const CONTROL = new RegExp(
  `<input\\b(${TAG_CONTENT})>|<(select|textarea|button)\\b(${TAG_CONTENT})>([\\s\\S]*?)</\\2\\s*>`,
  'gi',
);
const OPTION = new RegExp(`<option\\b(${TAG_CONTENT})>([^<]*)`, 'gi');
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

/** The forms of a page, in its order. */
export function formsOf(html: string): readonly HtmlForm[] {
  return [...html.matchAll(FORM)].map(([whole, inside = '', content = '']) => {
    const attributes = attributesOf(inside);
    const method = attributes.get('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET';
    return { action: attributes.get('action') ?? '', method, markup: whole, controls: controlsOf(content) };
  });
}

/** True for a control that submits the form when it is pressed. */
export function isButton({ type }: Control): boolean {
  return type === 'submit' || type === 'image';
}

function controlsOf(content: string): Control[] {
  return [...content.matchAll(CONTROL)].flatMap(([, ofInput, element, ofElement, inner = '']) => {
    const attributes = attributesOf(ofInput ?? ofElement ?? '');
    if (attributes.has('disabled')) return [];
    const tag = element?.toLowerCase() ?? 'input';
    const name = attributes.get('name') ?? '';
    if (tag === 'select') return [{ name, type: tag, attributes, ...readOptions(attributes, inner) }];
    if (tag === 'textarea') {
      return [{ name, type: tag, attributes, values: [decodeReferences(inner.replace(/^\r?\n/, ''))], options: [] }];
    }
    const type = (attributes.get('type') ?? (tag === 'button' ? 'submit' : 'text')).toLowerCase();
    if (type === 'button' || type === 'reset') return [];
    return [{ name, type, attributes, values: valuesOf(type, attributes), options: [] }];
  });
}

function valuesOf(type: string, attributes: Attributes): string[] {
  const isBox = type === 'checkbox' || type === 'radio';
  if (isBox && !attributes.has('checked')) return [];
  return [attributes.get('value') ?? (isBox ? 'on' : '')];
}

function readOptions(attributes: Attributes, inner: string): Pick<Control, 'values' | 'options'> {
  const options = [...inner.matchAll(OPTION)].map(([, inside = '', text = '']) => {
    const own = attributesOf(inside);
    return { value: own.get('value') ?? decodeReferences(text).trim(), own };
  });
  const enabled = options.filter(({ own }) => !own.has('disabled'));
  const selectedOptions = enabled.filter(({ own }) => own.has('selected'));
  const submittedOptions = attributes.has('multiple')
    ? selectedOptions
    : [selectedOptions.at(-1) ?? enabled[0]].flatMap((one) => one ?? []);
  return { values: submittedOptions.map(({ value }) => value), options: enabled.map(({ value }) => value) };
}

function attributesOf(inside: string): Attributes {
  const pairs = [...inside.matchAll(ATTRIBUTE)].map(
    ([, name = '', double, single, bare]) =>
      [name.toLowerCase(), decodeReferences(double ?? single ?? bare ?? '')] as const,
  );
  return new Map(pairs);
}

const NAMED_REFERENCES: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: '\u00a0',
};

/** Decodes the character references of an HTML text. */
export function decodeReferences(html: string): string {
  return html.replace(/&(?:#(\d+)|#x([\da-f]+)|(quot|apos|lt|gt|amp|nbsp));/gi, (_, decimal, hex, name = '') => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return hex !== undefined
      ? String.fromCodePoint(Number.parseInt(hex, 16))
      : (NAMED_REFERENCES[name.toLowerCase()] ?? '');
  });
}
