import type { QualifiedTag } from 'sax';

/** An element of an XML document, with its names resolved (Namespaces in XML 1.0). */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** Its text without that of its children. */
  text: string;
}

/** Maximum depth of elements. */
const DEPTH = 64;

/**
 * Parses an XML 1.0 document such as SAML metadata. Document types are not supported, so it reads neither entities nor
 * external files. Signatures are not verified.
 * @returns the root; undefined if the text is not a valid document
 */
export async function readXml(text: string): Promise<XmlElement | undefined> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true, { xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  const say = (said: string) => {
    const within = open.at(-1);
    if (within !== undefined) within.text += said;
  };
  parser.onerror = (error) => {
    throw new NotXml(error.message);
  };
  parser.ondoctype = () => {
    throw new NotXml('a document type');
  };
  parser.onopentag = (tag) => {
    if (open.length >= DEPTH) throw new NotXml('too deep');
    if (open.length === 0 && root !== undefined) throw new NotXml('two roots');
    const element = elementOf(tag as QualifiedTag);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = say;
  parser.oncdata = say;
  try {
    parser.write(text.replace(/^\ufeff/, '')).close();
  } catch (error) {
    if (error instanceof NotXml) return undefined;
    throw error;
  }
  return root;
}

class NotXml extends Error {}

function elementOf({ uri, local, attributes }: QualifiedTag): XmlElement {
  const own = Object.values(attributes).filter(({ prefix, name }) => prefix === '' && name !== 'xmlns');
  return {
    namespace: uri,
    name: local,
    attributes: new Map(own.map(({ name, value }) => [name, value])),
    children: [],
    text: '',
  };
}
