import type { QualifiedTag } from 'sax';

/** An element of an XML document, with its names resolved (Namespaces in XML 1.0). */
export interface XmlElement {
  readonly namespace: string;
  readonly name: string;
  /** Attributes without a namespace. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** The text of the element, without that of its children. */
  text: string;
}

/** Maximum depth of elements. */
const MAX_DEPTH = 64;

/**
 * Parses an XML 1.0 document such as SAML metadata. Document types are rejected, so neither entities nor external files
 * are read. Signatures are not verified.
 * @returns the root element; undefined if the text is not a valid document
 */
export async function readXml(text: string): Promise<XmlElement | undefined> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true, { xmlns: true });
  const openElements: XmlElement[] = [];
  let root: XmlElement | undefined;
  const addText = (addedText: string) => {
    const currentElement = openElements.at(-1);
    if (currentElement !== undefined) currentElement.text += addedText;
  };
  parser.onerror = (error) => {
    throw new NotXml(error.message);
  };
  parser.ondoctype = () => {
    throw new NotXml('a document type');
  };
  parser.onopentag = (tag) => {
    if (openElements.length >= MAX_DEPTH) throw new NotXml('too deep');
    if (openElements.length === 0 && root !== undefined) throw new NotXml('two roots');
    const element = toElement(tag as QualifiedTag);
    openElements.at(-1)?.children.push(element);
    root ??= element;
    openElements.push(element);
  };
  parser.onclosetag = () => void openElements.pop();
  parser.ontext = addText;
  parser.oncdata = addText;
  try {
    parser.write(text.replace(/^\ufeff/, '')).close();
  } catch (error) {
    if (error instanceof NotXml) return undefined;
    throw error;
  }
  return root;
}

class NotXml extends Error {}

function toElement({ uri, local, attributes }: QualifiedTag): XmlElement {
  const plainAttributes = Object.values(attributes).filter(({ prefix, name }) => prefix === '' && name !== 'xmlns');
  return {
    namespace: uri,
    name: local,
    attributes: new Map(plainAttributes.map(({ name, value }) => [name, value])),
    children: [],
    text: '',
  };
}
