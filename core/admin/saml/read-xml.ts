/** An element of an XML document, with its names resolved (Namespaces in XML 1.0). */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Without a namespace of their own. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** What stands in it beside its children. */
  text: string;
}

/** Elements within each other. */
const DEPTH = 64;
const NAME = '(?:[A-Za-z_][\\w.-]*:)?[A-Za-z_][\\w.-]*';
const OPEN = new RegExp(`<(${NAME})`, 'y');
const CLOSE = new RegExp(`</(${NAME})\\s*>`, 'y');
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const END = /\s*(\/?)>/y;
const TEXT = /[^<]+/y;
/** What begins and ends so is none of the content. */
const SKIPPED = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;
const CDATA = ['<![CDATA[', ']]>'] as const;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface Opened {
  readonly element: XmlElement;
  readonly tag: string;
  readonly prefixes: ReadonlyMap<string, string>;
}

/**
 * Reads a document of XML 1.0 such as the metadata of SAML. There is no document type: neither entities nor files of others are
 * ever looked at. Nothing here tells whether a signature holds.
 * @returns its root; undefined for what is no such document
 */
export function readXml(text: string): XmlElement | undefined {
  try {
    return documentOf(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof NotXml) return undefined;
    throw error;
  }
}

class NotXml extends Error {}

function documentOf(text: string): XmlElement {
  const open: Opened[] = [];
  let root: XmlElement | undefined;
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const upTo = (end: string, from: number) => {
    const found = text.indexOf(end, from);
    if (found < 0) throw new NotXml();
    at = found + end.length;
    return text.slice(from, found);
  };
  const say = (said: string) => {
    const within = open.at(-1);
    if (within !== undefined) within.element.text += said;
    else if (said.trim() !== '') throw new NotXml();
  };
  while (at < text.length) {
    const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, at));
    if (skipped !== undefined) {
      upTo(skipped[1], at + skipped[0].length);
      continue;
    }
    if (text.startsWith(CDATA[0], at)) {
      if (open.length === 0) throw new NotXml();
      say(upTo(CDATA[1], at + CDATA[0].length));
      continue;
    }
    const plain = match(TEXT);
    if (plain !== null) {
      say(decoded(plain[0]));
      continue;
    }
    const closed = match(CLOSE);
    if (closed !== null) {
      if (open.pop()?.tag !== closed[1]) throw new NotXml();
      continue;
    }
    const tag = match(OPEN)?.[1];
    if (tag === undefined || open.length >= DEPTH || (open.length === 0 && root !== undefined)) throw new NotXml();
    const given = new Map<string, string>();
    for (let found = match(ATTRIBUTE); found !== null; found = match(ATTRIBUTE)) {
      const [, name = '', double, single] = found;
      if (given.has(name)) throw new NotXml();
      given.set(name, decoded(double ?? single ?? ''));
    }
    const ended = match(END);
    if (ended === null) throw new NotXml();
    const opened = openedBy(tag, given, open.at(-1)?.prefixes ?? new Map());
    open.at(-1)?.element.children.push(opened.element);
    root ??= opened.element;
    if (ended[1] === '') open.push(opened);
  }
  if (root === undefined || open.length > 0) throw new NotXml();
  return root;
}

function openedBy(tag: string, given: ReadonlyMap<string, string>, outer: ReadonlyMap<string, string>): Opened {
  const prefixes = new Map(outer);
  const attributes = new Map<string, string>();
  for (const [name, value] of given) {
    if (name === 'xmlns') prefixes.set('', value);
    else if (name.startsWith('xmlns:')) prefixes.set(name.slice(6), value);
    else if (!name.includes(':')) attributes.set(name, value);
  }
  const [first = '', second] = tag.split(':');
  const [prefix, name] = second === undefined ? ['', first] : [first, second];
  const namespace = prefixes.get(prefix);
  if (namespace === undefined && prefix !== '') throw new NotXml();
  return { element: { namespace: namespace ?? '', name, attributes, children: [], text: '' }, tag, prefixes };
}

function decoded(text: string): string {
  return text.replace(/&([^;&]{1,12});|&/g, (_, entity: string | undefined) => {
    const known = entity === undefined ? undefined : (ENTITIES[entity] ?? characterOf(entity));
    if (known === undefined) throw new NotXml();
    return known;
  });
}

function characterOf(entity: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(entity) ?? [];
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isCharacter =
    code === 9 || code === 10 || code === 13 || (code >= 32 && code < 0xd800) || (code > 0xdfff && code < 0x110000);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}
