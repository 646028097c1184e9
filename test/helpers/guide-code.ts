import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as spi from '@keyhost/spi';
import { ROOT } from './readme-blocks.js';

const SPI = 'core/spi';

/** User documentation that contains code of plugins. */
const PAGES = ['core/docs/how-to/theme.md', 'core/docs/tutorial/first-plugin.md'];

/** A block of TypeScript in the guide. */
export interface GuideCode {
  /** `core/spi/guide/spis.md` */
  readonly page: string;
  /** The page's line number of its first line, from 1. */
  readonly line: number;
  /** The SPI whose section it is in. */
  readonly kind: string | undefined;
  readonly code: string;
}

/** Every block of TypeScript in the guide for plugin authors. */
export async function guideCode(): Promise<GuideCode[]> {
  const pages = (await readdir(join(ROOT, SPI, 'guide'))).filter((name) => name.endsWith('.md')).sort();
  const blocks: GuideCode[] = [];
  for (const page of [`${SPI}/README.md`, ...pages.map((name) => `${SPI}/guide/${name}`), ...PAGES]) {
    const text = await readFile(join(ROOT, page), 'utf8');
    for (const { index, 0: whole, 1: code = '' } of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
      const before = text.slice(0, index);
      const kind = [...before.matchAll(/^## (\w+)$/gm)].at(-1)?.[1];
      blocks.push({ page, line: before.split('\n').length + 1, kind, code: whole === '' ? '' : code });
    }
  }
  return blocks;
}

/** Names of types: an import of them is erased. */
const TYPES = ['Plugin', 'AuthenticationStep', 'ClientRegistrationRequest', 'JsonObject', 'Session', 'StepPage'];

/** Declarations that the guide assumes; `given` replaces what the guide omits with `…`. */
const GIVEN = `declare const given: any;
declare const session: import('@keyhost/spi').Session;
`;

/**
 * A block as a complete module for the compiler: members of a provider are wrapped in one of their SPI, and omitted
 * parts are declared.
 * @returns the text, and the number of lines in front of the block's own
 */
export function asModule({ code, kind }: GuideCode): { text: string; before: number } {
  const [start, end] = frameOf(code, kind);
  const text = `${start}${completed(code)}${end}`;
  const imported = new Set(
    [...text.matchAll(/import \{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(/[\s,]+/)),
  );
  const used = (name: string) => !imported.has(name) && new RegExp(`(?<![.'\\w])${name}\\b`).test(text);
  const values = Object.keys(spi)
    .filter((name) => /^[A-Z]/.test(name) || name === 'provide')
    .filter(used);
  const types = TYPES.filter(used).map((name) => `type ${name}`);
  const ofKit = ['conforms', 'startHost', 'FormBrowser', 'testRealm', 'withEnabled'].filter(used);
  const importing = (names: readonly string[], from: string) =>
    names.length === 0 ? '' : `import { ${names.join(', ')} } from '${from}';\n`;
  const imports = `${importing([...values, ...types], '@keyhost/spi')}${importing(ofKit, '@keyhost/spi/testing')}`;
  const head = `${GIVEN}${imports}export {};\n`;
  const whole = `${head}${start}`;
  return { text: `${head}${text}`, before: whole.split('\n').length - 1 };
}

function frameOf(code: string, kind: string | undefined): [start: string, end: string] {
  if (/^(async )?(authenticate|action|poll|returned)\b/.test(code)) {
    const open = 'open: () => ({ create: (session) => ({\n';
    return [`provide(Authenticator, { id: 'x', describe: { displayName: 'X', proves: true }, ${open}`, '}) }) });\n'];
  }
  if (code.startsWith('describe:')) {
    return [`provide(${kind}, { id: 'x',\n`, 'open: () => ({ create: () => ({ authenticate: given }) }) });\n'];
  }
  if (code.startsWith('text:'))
    return ['({ info: { title: { key: "x" },\n', '} } satisfies import("@keyhost/spi").ActionTokenInfo);\n'];
  if (code.startsWith('template:'))
    return ["await session.mail.send({ to: { userId }, subject: { key: 's' },\n", '});\n'];
  if (code.startsWith('{')) return ['({ step: [\n', '] satisfies AuthenticationStep[] });\n'];
  return ['', ''];
}

/** The block with a value in place of each `…` outside of texts. */
function completed(code: string): string {
  return code
    .replaceAll(/(?<=[:>] )…/g, 'given')
    .replaceAll(', … }', ', open: given }')
    .replaceAll("'acme-notices/channel'", "'./channel.js'")
    .replaceAll(/^( *)\/\/ …$/gm, '$1open: given,');
}
